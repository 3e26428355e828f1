import { expect, test } from 'vitest'
import { readTracingSettings } from './tracing-settings.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base/' }

test.each([
  ['no variable', {}],
  ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ['other variables only', { OTEL_SERVICE_NAME: 'a', OTEL_TRACES_SAMPLER: 'always_on' }],
  ['a disabled SDK', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
  ['no exporter', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
])('nothing is traced with %s', (_, environment) => {
  expect(readTracingSettings(environment)).toBeUndefined()
})

test('an endpoint has the defaults of OpenTelemetry, and that of traces goes before', () => {
  expect(readTracingSettings(endpoint)).toEqual({
    url: 'http://collector:4318/base/v1/traces',
    headers: {},
    timeoutMs: 10_000,
    resource: { 'service.name': 'pipit' },
    sampling: { followsParent: true, ratio: 1 },
    queueMax: 2048,
    batchMax: 512,
    delayMs: 5000,
  })
  const own = {
    ...endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces/here',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YQ==',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,zone=b%2Cc',
    OTEL_SERVICE_NAME: 'front',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '10',
  }
  expect(readTracingSettings(own)).toMatchObject({
    url: 'https://traces/here',
    headers: { authorization: 'Basic YQ==' },
    resource: { 'service.name': 'front', zone: 'b,c' },
    sampling: { followsParent: false, ratio: 0.25 },
    queueMax: 10,
    batchMax: 10,
  })
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:secret@c' }, 'OTEL_EXPORTER_OTLP_ENDPOINT must be'],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'PROTOCOL must be http/json'],
  [{ ...endpoint, OTEL_TRACES_EXPORTER: 'zipkin' }, 'must be otlp or none'],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, 'must have the form'],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=secret%0A' }, 'must have the form'],
  [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=%secret' }, 'invalid percent-encoding'],
  [{ ...endpoint, OTEL_TRACES_SAMPLER: 'some' }, 'OTEL_TRACES_SAMPLER must be one of'],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' },
    'from 0 to 1',
  ],
  [{ ...endpoint, OTEL_BSP_MAX_QUEUE_SIZE: '0' }, 'whole number from 1 to 65536'],
])('%j is refused by name, without its value', (environment, message) => {
  const read = () => readTracingSettings(environment)
  expect(read).toThrow(message)
  expect(read).not.toThrow('secret')
})
