import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { UpstreamEngine } from '../../../src/engine/upstream/upstream-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { type Collector, startCollector } from '../../support/tracing/collector.ts'
import { chunk, open, say, send, startUpstream } from '../../support/upstream/scripted-upstream.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const parentSpanId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${parentSpanId}-01`

let collector: Collector
beforeEach(async () => {
  collector = await startCollector()
  return () => collector.close()
})
let service: TestService | undefined
afterEach(async () => {
  await service?.close()
  service = undefined
})

/** Starts a service that exports spans only when it closes, so that no test waits for a timer. */
async function startTraced(environment: Record<string, string> = {}, engine?: UpstreamEngine) {
  service = await startTestService({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '60000',
      ...environment,
    },
    ...(engine !== undefined && { engine }),
  })
  return service
}

async function exported() {
  await service?.close()
  service = undefined
  return collector.spans
}

test('a completion has a span of the request and one of the chat, below the trace of the caller', async () => {
  const { post } = await startTraced({
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=team%20a',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  const body = { ...question, max_tokens: 9, temperature: 1 }
  const reply = await post(body, { headers: { traceparent } })
  const { usage, choices } = (await reply.json()) as {
    usage: { prompt_tokens: number; completion_tokens: number }
    choices: { finish_reason: string }[]
  }
  const spans = await exported()
  const chat = spans.find(({ name }) => name === 'chat svc-o1-mini')
  const server = spans.find(({ name }) => name === 'POST /v1/chat/completions')
  expect(spans).toHaveLength(2)
  expect(server).toMatchObject({ traceId, parentSpanId, kind: 2, status: {} })
  expect(server?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/chat/completions',
    'http.response.status_code': 200,
    'url.scheme': 'http',
    'pipit.request.id': reply.headers.get('x-request-id'),
  })
  expect(chat).toMatchObject({ traceId, parentSpanId: server?.spanId, kind: 1, status: {} })
  // The conventions define it as a double, also where it is whole.
  expect(collector.raw).toContain('"gen_ai.request.temperature","value":{"doubleValue":1}')
  expect(chat?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'pipit',
    'gen_ai.request.model': 'svc-o1-mini',
    'gen_ai.request.max_tokens': 9,
    'gen_ai.request.temperature': 1,
    'gen_ai.usage.input_tokens': usage.prompt_tokens,
    'gen_ai.usage.output_tokens': usage.completion_tokens,
    'gen_ai.response.finish_reasons': [choices[0]?.finish_reason],
    'pipit.request.id': reply.headers.get('x-request-id'),
  })
  expect(chat?.events).toEqual(['queue.left', 'first_token'])
  expect(Number(chat?.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(chat?.startTimeUnixNano))
  expect(collector.paths).toEqual(['/v1/traces'])
  expect(collector.headers[0]).toMatchObject({
    'content-type': 'application/json',
    'x-tenant': 'team a',
  })
  expect(collector.resources[0]).toEqual({
    'service.name': 'pipit',
    'deployment.environment.name': 'test',
  })
})

test('no prompt, reply, key or name of a caller is exported, however the request ends', async () => {
  const canary = 'CANARY7f3a'
  const upstream = await startUpstream({ script: say(`${canary} reply`) })
  const engine = await upstreamEngine(upstream.url)
  try {
    const { post, stream, request } = await startTraced({}, engine)
    const messages = [{ role: 'user', content: `${canary} prompt` }]
    const body = {
      ...question,
      messages,
      stop: [`${canary} stop`],
      user: `${canary}-user`,
      metadata: { name: `${canary} metadata` },
    }
    const headers = {
      'idempotency-key': `${canary}-key`,
      'user-agent': canary,
      traceparent: canary,
      tracestate: `a=${canary}`,
    }
    expect(await (await post(body, { headers })).text()).toContain(`${canary} reply`)
    expect((await stream(body)).text).toContain(canary)
    await post({ ...body, [canary]: 1, temperature: 9 })
    await post(body, { key: `sk-pipit-${canary}` })
    await request(`/v1/requests/${canary}?after=${canary}`)
    await request(`/v1/${canary}`)
    upstream.script = (response) => {
      response.writeHead(500).end(JSON.stringify({ error: { message: canary } }))
    }
    expect((await post(body)).status).toBe(500)
    const { key } = service ?? { key: '' }
    const spans = await exported()
    expect(spans.length).toBeGreaterThanOrEqual(9)
    expect(collector.raw.includes(canary)).toBe(false)
    expect(collector.raw.includes(key)).toBe(false)
  } finally {
    await upstream.close()
  }
})

test('an upstream engine continues the trace, and is named in it', async () => {
  const upstream = await startUpstream()
  const engine = await upstreamEngine(upstream.url)
  try {
    const { post } = await startTraced({}, engine)
    await post(question, { headers: { traceparent } })
    const chat = (await exported()).find(({ name }) => name.startsWith('chat'))
    expect(upstream.asked[0]?.headers['traceparent']).toBe(`00-${traceId}-${chat?.spanId}-01`)
    expect(chat?.attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(upstream.url).port),
    })
  } finally {
    await upstream.close()
  }
})

test('without an endpoint nothing is exported, and an upstream gets the trace of the caller as it is', async () => {
  const upstream = await startUpstream()
  const engine = await upstreamEngine(upstream.url)
  try {
    const { post } = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, engine)
    await post(question, { headers: { traceparent } })
    await post(question, { headers: { traceparent: 'anything else' } })
    expect(upstream.asked.map(({ headers }) => headers['traceparent'])).toEqual([
      traceparent,
      undefined,
    ])
    await exported()
    expect(collector.exports).toBe(0)
  } finally {
    await upstream.close()
  }
})

test('failures have an error type, and refused requests are spans too', async () => {
  const upstream = await startUpstream({ script: (response) => response.writeHead(500).end() })
  const engine = await upstreamEngine(upstream.url)
  try {
    const { post } = await startTraced({}, engine)
    expect((await post(question)).status).toBe(500)
    expect((await post({ ...question, temperature: 9 })).status).toBe(400)
    const spans = await exported()
    const ofStatus = (status: number) =>
      spans.find(({ attributes }) => attributes['http.response.status_code'] === status)
    expect(spans.find(({ name }) => name.startsWith('chat'))).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'engine_failed', 'pipit.outcome': 'engine_crash' },
    })
    expect(ofStatus(500)).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': '500' },
    })
    expect(ofStatus(400)).toMatchObject({ status: {}, kind: 2 })
    expect(spans).toHaveLength(3)
  } finally {
    await upstream.close()
  }
})

test('a stream that is cut and a request that its client leaves are spans, and are counted', async () => {
  const upstream = await startUpstream()
  const engine = await upstreamEngine(upstream.url)
  try {
    const { post, stream, metricsUrl } = await startTraced({}, engine)
    upstream.script = (response) => {
      open(response)
      send(response, chunk({ content: 'Hello' }))
      setImmediate(() => response.destroy())
    }
    expect((await stream(question)).events.at(-1)?.error?.code).toBe('engine_failed')
    const leaving = new AbortController()
    upstream.script = () => leaving.abort()
    await expect(post(question, { signal: leaving.signal })).rejects.toThrow(/abort/)
    const counted = async () =>
      (await (await fetch(metricsUrl)).text())
        .split('\n')
        .filter((line) => /^pipit_http_requests_total.*completions.* [1-9]/.test(line))
    const route = 'route="/v1/chat/completions"'
    await expect
      .poll(counted)
      .toEqual([
        `pipit_http_requests_total{${route},status="200"} 1`,
        `pipit_http_requests_total{${route},status="499"} 1`,
      ])
    const requests = (await exported()).filter(({ kind }) => kind === 2)
    expect(
      requests.map(({ attributes }) => String(attributes['http.response.status_code'])).toSorted(),
    ).toEqual(['200', '499'])
  } finally {
    await upstream.close()
  }
})

test('a trace that the caller does not record is not recorded, and a sampler may record none', async () => {
  const first = await startTraced()
  await first.post(question, { headers: { traceparent: traceparent.replace(/01$/, '00') } })
  expect(await exported()).toEqual([])
  const second = await startTraced({ OTEL_TRACES_SAMPLER: 'always_off' })
  await second.post(question, { headers: { traceparent } })
  expect(await exported()).toEqual([])
})

test('an upstream is told that a new trace is not recorded', async () => {
  const upstream = await startUpstream()
  const engine = await upstreamEngine(upstream.url)
  try {
    const { post } = await startTraced(
      { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
      engine,
    )
    await post(question)
    await post(question, { headers: { traceparent } })
    const [own, continued] = upstream.asked.map(({ headers }) => headers['traceparent'])
    expect(own).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/)
    expect(continued).toBe(traceparent.replace(/01$/, '00'))
    expect(await exported()).toEqual([])
  } finally {
    await upstream.close()
  }
})

test.each([
  ['0.5', '7fffffffffffffff', 1],
  ['0.5', '8000000000000000', 0],
])('the ratio %s decides by the id of the trace: …%s', async (ratio, half, requests) => {
  const sampler = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: ratio }
  const { post } = await startTraced(sampler)
  await post(question, {
    headers: { traceparent: `00-ffffffffffffffff${half}-${parentSpanId}-01` },
  })
  const spans = await exported()
  expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(requests)
})

test('a collector that hangs delays no request, and spans beyond the queue are dropped and counted', async () => {
  const { promise: hanging, resolve: isHanging } = Promise.withResolvers<ServerResponse>()
  collector.answer = (response) => isHanging(response)
  const { post, metricsUrl } = await startTraced({
    OTEL_BSP_MAX_QUEUE_SIZE: '4',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2',
  })
  await post(question)
  const response = await hanging
  for (let count = 0; count < 4; count++) expect((await post(question)).status).toBe(200)
  // Two spans are in the hanging export, and two wait in the queue. The last span ends once its response is written.
  const dropped = async () => {
    const metrics = await (await fetch(metricsUrl)).text()
    return Number(/^pipit_trace_spans_dropped_total (\d+)$/m.exec(metrics)?.[1])
  }
  await expect.poll(dropped, { timeout: 30_000 }).toBe(6)
  collector.answer = (later) => void later.end('{}')
  response.end('{}')
  expect(await exported()).toHaveLength(4)
})

function upstreamEngine(url: string): Promise<UpstreamEngine> {
  return UpstreamEngine.start({
    kind: 'upstream',
    urls: [url],
    flavour: 'vllm',
    model: 'real-model',
    key: undefined,
    slots: 8,
    contextTokens: undefined,
  })
}
