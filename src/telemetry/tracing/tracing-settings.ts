import { type StartError, wrongSetting } from '../../errors.ts'

/** Rule for the traces to record. `ratio` is the share that is recorded, from 0 to 1. */
export type Sampling = {
  /** True if the sampled flag of a trace that the caller sends overrides `ratio`. */
  readonly followsParent: boolean
  readonly ratio: number
}

export type TracingSettings = {
  /** URL that receives OTLP over HTTP, in JSON. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Time limit for one export. */
  readonly timeoutMs: number
  readonly resource: Readonly<Record<string, string>>
  readonly sampling: Sampling
  /** Maximum number of spans waiting for an export; further ones are dropped. */
  readonly queueMax: number
  /** Maximum number of spans in one export. */
  readonly batchMax: number
  /** Longest time that a span waits for an export while exports succeed. */
  readonly delayMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

const pairsMax = 64
const samplers = ['always_on', 'always_off', 'traceidratio'] as const
const parentBased = 'parentbased_'

/**
 * Reads OpenTelemetry's own variables. Returns undefined, which turns tracing off, unless they name an endpoint.
 * @throws StartError for a value that is invalid or asks for something that this service does not support
 */
export function readTracingSettings(environment: Environment): TracingSettings | undefined {
  const text = (name: string) => environment[name]?.trim() || undefined
  const either = (name: string) => {
    const own = `OTEL_EXPORTER_OTLP_TRACES_${name}`
    return text(own) === undefined ? `OTEL_EXPORTER_OTLP_${name}` : own
  }
  const endpoint = either('ENDPOINT')
  const exporter = text('OTEL_TRACES_EXPORTER') ?? 'otlp'
  if (text(endpoint) === undefined || text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true')
    return undefined
  if (exporter === 'none') return undefined
  if (exporter !== 'otlp') throw fault('OTEL_TRACES_EXPORTER', 'must be otlp or none')
  const protocol = either('PROTOCOL')
  if ((text(protocol) ?? 'http/json') !== 'http/json')
    throw fault(protocol, 'must be http/json, which every OpenTelemetry collector accepts')
  const integer = (name: string, max: number, otherwise: number) =>
    readInteger(name, text(name), max, otherwise)
  const serviceName = text('OTEL_SERVICE_NAME')
  const queueMax = integer('OTEL_BSP_MAX_QUEUE_SIZE', 65_536, 2048)
  return {
    url: readUrl(endpoint, text(endpoint) ?? ''),
    headers: readHeaders(either('HEADERS'), text(either('HEADERS'))),
    timeoutMs: integer(either('TIMEOUT'), 60_000, 10_000),
    resource: {
      'service.name': 'pipit',
      ...readPairs('OTEL_RESOURCE_ATTRIBUTES', text('OTEL_RESOURCE_ATTRIBUTES')),
      ...(serviceName !== undefined && { 'service.name': serviceName }),
    },
    sampling: readSampling(text('OTEL_TRACES_SAMPLER'), text('OTEL_TRACES_SAMPLER_ARG')),
    queueMax,
    batchMax: Math.min(queueMax, integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 2048, 512)),
    delayMs: integer('OTEL_BSP_SCHEDULE_DELAY', 60_000, 5000),
  }
}

/** Returns the URL for traces. The general endpoint is a base URL; the endpoint for traces is used as it is. */
function readUrl(name: string, value: string): string {
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw fault(
      name,
      'must be an http or https URL without a user; put credentials into OTEL_EXPORTER_OTLP_HEADERS',
    )
  if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT')
    url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  return url.href
}

/** Parses headers. A fault never contains a value, because it may be a secret. */
function readHeaders(name: string, value: string | undefined): Record<string, string> {
  const headers = readPairs(name, value)
  for (const [header, content] of Object.entries(headers))
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header) || !/^[\x20-\x7e]*$/.test(content))
      throw fault(name, 'must have the form name=value,name=value in ASCII')
  return headers
}

/** Reads `name=value,name=value` with percent-encoded values. */
function readPairs(name: string, value: string | undefined): Record<string, string> {
  const entries = (value ?? '').split(',').filter((entry) => entry.trim() !== '')
  if (entries.length > pairsMax) throw fault(name, `must have at most ${pairsMax} entries`)
  return Object.fromEntries(
    entries.map((entry) => {
      const end = entry.indexOf('=')
      if (end < 1) throw fault(name, 'must have the form name=value,name=value')
      try {
        return [entry.slice(0, end).trim(), decodeURIComponent(entry.slice(end + 1).trim())]
      } catch {
        throw fault(name, 'has invalid percent-encoding')
      }
    }),
  )
}

function readSampling(sampler = `${parentBased}always_on`, argument?: string): Sampling {
  const followsParent = sampler.startsWith(parentBased)
  const kind = samplers.find((one) => one === sampler.slice(followsParent ? parentBased.length : 0))
  switch (kind) {
    case undefined:
      throw fault(
        'OTEL_TRACES_SAMPLER',
        `must be one of ${samplers.join(', ')}, or one of them after ${parentBased}`,
      )
    case 'always_on':
      return { followsParent, ratio: 1 }
    case 'always_off':
      return { followsParent, ratio: 0 }
    case 'traceidratio': {
      const ratio = Number(argument ?? 1)
      if (ratio >= 0 && ratio <= 1) return { followsParent, ratio }
      throw fault('OTEL_TRACES_SAMPLER_ARG', 'must be a number from 0 to 1')
    }
  }
}

function readInteger(
  name: string,
  value: string | undefined,
  max: number,
  otherwise: number,
): number {
  if (value === undefined) return otherwise
  if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= max) return Number(value)
  throw fault(name, `must be a whole number from 1 to ${max}`)
}

function fault(name: string, text: string): StartError {
  return wrongSetting(`${name} ${text}.`)
}
