import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Value = {
  stringValue?: string
  intValue?: string
  doubleValue?: number
  boolValue?: boolean
  arrayValue?: { values: Value[] }
}
type KeyValues = { key: string; value: Value }[]
type WireSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: KeyValues
  events: { name: string; timeUnixNano: string }[]
  status: { code?: number }
}
type Export = {
  resourceSpans: {
    resource: { attributes: KeyValues }
    scopeSpans: { scope: { name: string; version: string }; spans: WireSpan[] }[]
  }[]
}

type Collected = Omit<WireSpan, 'attributes' | 'events'> & {
  attributes: Record<string, unknown>
  events: string[]
}

export type Collector = Awaited<ReturnType<typeof startCollector>>

/**
 * Starts a receiver of OTLP over HTTP. It decodes each export as a collector does.
 * @param answer replies to an export; default: status 200
 */
export async function startCollector(
  answer: (response: ServerResponse) => void = (response) => response.end('{}'),
) {
  const collector = {
    answer,
    spans: [] as Collected[],
    resources: [] as Record<string, unknown>[],
    headers: [] as IncomingHttpHeaders[],
    paths: [] as string[],
    /** The joined bodies of all exports. */
    raw: '',
    exports: 0,
  }
  const server = createServer((request, response) => {
    void (async () => {
      let text = ''
      for await (const part of request) text += String(part)
      collector.exports += 1
      collector.headers.push(request.headers)
      collector.paths.push(request.url ?? '')
      collector.raw += text
      for (const { resource, scopeSpans } of (JSON.parse(text) as Export).resourceSpans) {
        collector.resources.push(decode(resource.attributes))
        for (const { spans } of scopeSpans) collector.spans.push(...spans.map(decodeSpan))
      }
      collector.answer(response)
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(collector, {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function decodeSpan({ attributes, events, ...span }: WireSpan): Collected {
  return { ...span, attributes: decode(attributes), events: events.map(({ name }) => name) }
}

function decode(attributes: KeyValues): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]))
}

function valueOf(value: Value): unknown {
  if (value.arrayValue !== undefined) return value.arrayValue.values.map(valueOf)
  if (value.intValue !== undefined) return Number(value.intValue)
  return value.stringValue ?? value.doubleValue ?? value.boolValue
}
