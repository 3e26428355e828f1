import type { EndedSpan, SpanAttributes } from './span.ts'

const errorStatus = 2

/** Returns the body of one export: OTLP in JSON, with ids in hexadecimal and 64-bit integers as strings. */
export function toOtlpJson(
  spans: readonly EndedSpan[],
  resource: Readonly<Record<string, string>>,
  version: string,
): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toKeyValues(resource) },
        scopeSpans: [{ scope: { name: 'pipit', version }, spans: spans.map(toSpan) }],
      },
    ],
  })
}

function toSpan(span: EndedSpan) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: toNanos(span.startMs),
    endTimeUnixNano: toNanos(span.endMs),
    attributes: toKeyValues(span.attributes),
    events: span.events.map(({ name, atMs }) => ({ timeUnixNano: toNanos(atMs), name })),
    status: span.isError ? { code: errorStatus } : {},
  }
}

/** Attributes that the conventions define as doubles, also where the value is whole. */
const doubles = new Set([
  'gen_ai.request.temperature',
  'gen_ai.request.top_p',
  'gen_ai.request.top_k',
  'gen_ai.request.frequency_penalty',
  'gen_ai.request.presence_penalty',
])

type AttributeValue = NonNullable<SpanAttributes[keyof SpanAttributes]>

function toKeyValues(attributes: Readonly<Record<string, AttributeValue | undefined>>) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : { key, value: toValue(value, doubles.has(key)) },
  )
}

function toValue(value: AttributeValue, isDouble = false): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number')
    return Number.isInteger(value) && !isDouble
      ? { intValue: String(value) }
      : { doubleValue: value }
  return { arrayValue: { values: value.map((one) => toValue(one)) } }
}

/** Formats nanoseconds as text. Present-day times fit exactly into a number as microseconds, but not as nanoseconds. */
function toNanos(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}
