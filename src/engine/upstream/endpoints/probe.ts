import { UpstreamFault } from '../upstream-fault.ts'
import { upstreamContextTokensMax } from '../upstream-limits.ts'
import type { UpstreamSettings } from '../upstream-settings.ts'
import { type Connections, NoReplyYet } from '../wire/send.ts'

export type ProbeTarget = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: Connections
}

/** Statuses of an upstream that has no room now. A proxy whose engine is gone answers 502 or 504. */
const noRoom: ReadonlySet<number> = new Set([429, 503, 529])

/**
 * Probes an upstream by generating one token. Routes like `/health` answer even while the engine hangs.
 * @throws UpstreamFault
 */
export async function probeCompletion(
  { model }: UpstreamSettings,
  { url, headers, connections }: ProbeTarget,
  signal: AbortSignal,
): Promise<void> {
  const messages = [{ role: 'user', content: 'Hi' }]
  const exchange = {
    url: `${url}/v1/chat/completions`,
    body: JSON.stringify({ model, messages, max_tokens: 1, temperature: 0, stream: false }),
    headers: { ...headers, 'content-type': 'application/json' },
  }
  const { status, text } = await connections.fetchText(exchange, signal)
  const choices = membersOf(parse(text))?.['choices']
  if (status !== 200 || !Array.isArray(choices) || membersOf(choices[0]) === undefined)
    throw new UpstreamFault(
      noRoom.has(status) ? 'busy' : 'failed',
      `the probe's completion failed: status ${status}`,
    )
}

/**
 * Reads the model list and requires our model in it, except for llama-server.
 * @returns the model's context in tokens, if the upstream reports it
 * @throws UpstreamFault
 */
export async function probeModels(
  { model, flavour }: UpstreamSettings,
  { url, headers, connections }: ProbeTarget,
  signal: AbortSignal,
): Promise<number | undefined> {
  const exchange = { url: `${url}/v1/models`, headers }
  const { status, text } = await connections.fetchText(exchange, signal)
  const listed = membersOf(parse(text))?.['data']
  const reason = `the list of models failed: status ${status}`
  // An engine without room still lists its models. A router may not, but neither does a proxy whose engine is gone.
  if (status === 503) throw new NoReplyYet(reason)
  if (status !== 200 || !Array.isArray(listed))
    throw new UpstreamFault(noRoom.has(status) ? 'busy' : 'failed', reason)
  const models = listed.map(membersOf)
  // Ollama adds the tag `latest`. llama-server serves one model under any name.
  const names = flavour === 'ollama' ? [model, `${model}:latest`] : [model]
  const own = models.find((each) => names.includes(String(each?.['id'])))
  if (own === undefined && flavour !== 'llama-server')
    throw new UpstreamFault('failed', 'the list of models lacks PIPIT_UPSTREAM_MODEL')
  const entry = own ?? models[0]
  return contextOf(entry?.['max_model_len'] ?? membersOf(entry?.['meta'])?.['n_ctx'])
}

function contextOf(value: unknown): number | undefined {
  const isContext = Number.isInteger(value) && Number(value) > 0
  return isContext && Number(value) <= upstreamContextTokensMax ? Number(value) : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : undefined
}
