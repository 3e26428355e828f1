import type { ChatMessage, PrepareOptions } from '../engine.ts'
import { UpstreamFault } from './upstream-fault.ts'
import { countBytesMax, upstreamContextTokensMax } from './upstream-limits.ts'
import type { UpstreamSettings } from './upstream-settings.ts'
import { promptMembers, toBody } from './wire/request-body.ts'
import type { Connections } from './wire/send.ts'

const tokensPerMessage = 16
const tokensPerPrompt = 64

/**
 * Returns an upper bound for the prompt's token count, since a text never has more tokens than UTF-8 bytes. Tool
 * definitions and call arguments count twice, because templates write their JSON with more spaces than we do.
 */
export function boundOfPrompt(
  messages: readonly ChatMessage[],
  { format, variables }: Pick<PrepareOptions, 'format' | 'variables'>,
): number {
  let bytes = tokensPerPrompt
  for (const { content, reasoning = '', toolCalls = [] } of messages) {
    bytes += tokensPerMessage + Buffer.byteLength(content) + Buffer.byteLength(reasoning)
    for (const { id, name, arguments: text } of toolCalls)
      bytes += tokensPerMessage + id.length + name.length + 2 * Buffer.byteLength(text)
  }
  for (const value of Object.values(variables ?? {})) bytes += Buffer.byteLength(String(value))
  if (format?.type === 'tools')
    for (const { name, description = '', parameters = '' } of format.tools)
      bytes +=
        tokensPerPrompt +
        2 * (name.length + Buffer.byteLength(description) + Buffer.byteLength(parameters))
  return bytes
}

/** Routes that apply the chat template and count the tokens, with the response member that holds the count. */
const routes = {
  vllm: { path: '/tokenize', member: 'count' },
  'llama-server': { path: '/v1/chat/completions/input_tokens', member: 'input_tokens' },
} as const

export function canCount({ flavour }: UpstreamSettings): boolean {
  return flavour in routes
}

/**
 * Asks an upstream to count the prompt's tokens. Returns undefined if this flavour has no route for it.
 * @throws UpstreamFault
 */
export async function countPrompt(
  { flavour, model }: UpstreamSettings,
  upstream: { url: string; headers: Readonly<Record<string, string>>; connections: Connections },
  messages: readonly ChatMessage[],
  options: Pick<PrepareOptions, 'format' | 'variables'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (flavour !== 'vllm' && flavour !== 'llama-server') return undefined
  const { path, member } = routes[flavour]
  const body = toBody({ model, ...promptMembers(flavour, messages, options) })
  const { url, headers, connections } = upstream
  const { status, text } = await connections.fetchText(
    { url: url + path, body, headers: { ...headers, 'content-type': 'application/json' } },
    signal,
    countBytesMax,
  )
  const count = status === 200 ? readCount(text, member) : undefined
  if (count === undefined)
    throw new UpstreamFault('failed', `no count of the prompt: status ${status}`)
  return count
}

function readCount(text: string, member: string): number | undefined {
  try {
    const reply: unknown = JSON.parse(text)
    const count: unknown =
      typeof reply === 'object' && reply !== null ? Reflect.get(reply, member) : undefined
    const isCount = Number.isInteger(count) && Number(count) > 0
    return isCount && Number(count) <= upstreamContextTokensMax ? Number(count) : undefined
  } catch {
    return undefined
  }
}
