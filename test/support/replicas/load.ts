import { setTimeout as delay } from 'node:timers/promises'
import { type ClientJournal, digestOf } from '../journal/client-journal.ts'
import type { ServeProcess } from '../process.ts'
import { question, readStream } from '../service.ts'

/** A service that accepts chat completion requests. */
type Target = Pick<ServeProcess, 'post'>
/** Several services, or a proxy in front of them. */
type Targets = { readonly replicas: readonly Target[] }

/** Tokens that the clients of `runLoad` have received, and how their requests ended. */
export type Seen = {
  tokens: number
  ok: number
  refused: number
  unavailable: number
  cut: number
}

type LoadOptions = {
  key: string
  clients: number
  maxTokens: number
  signal: AbortSignal
  /** Gets every request, and every reply that was received whole. */
  journal: ClientJournal
}
type Usage = { prompt_tokens: number; completion_tokens: number }

/** Returns the number of prompt tokens of `question`, as the scripted engine counts them. */
export async function promptTokensOf(cluster: Targets, key: string): Promise<number> {
  const [replica] = cluster.replicas
  if (replica === undefined) throw new Error('no replica')
  const reply = await replica.post({ ...question, max_tokens: 1 }, { key })
  return ((await reply.json()) as { usage: { prompt_tokens: number } }).usage.prompt_tokens
}

/**
 * Sends requests to all replicas in turn, streamed and not streamed, until the signal aborts. For a reply that is cut,
 * counts the tokens that arrived.
 */
export async function runLoad(
  cluster: Targets,
  promptTokens: number,
  options: LoadOptions,
): Promise<Seen> {
  const seen: Seen = { tokens: 0, ok: 0, refused: 0, unavailable: 0, cut: 0 }
  const client = async (first: number) => {
    for (let turn = first; !options.signal.aborted; turn++) {
      const replica = cluster.replicas[turn % cluster.replicas.length]
      if (replica === undefined) continue
      try {
        await ask(replica, { ...options, isStream: turn % 3 !== 0, promptTokens, seen })
      } catch {
        seen.unavailable += 1
        await delay(100)
      }
    }
  }
  await Promise.all(Array.from({ length: options.clients }, (_, index) => client(index)))
  return seen
}

type Asked = LoadOptions & { isStream: boolean; promptTokens: number; seen: Seen }

async function ask(
  replica: Target,
  { key, maxTokens, isStream, promptTokens, seen, journal }: Asked,
): Promise<void> {
  const body = {
    ...question,
    max_tokens: maxTokens,
    stream: isStream,
    ...(isStream ? { stream_options: { include_usage: true } } : {}),
  }
  const number = journal.noteSent()
  const reply = await replica.post(body, { key, signal: AbortSignal.timeout(30_000) })
  const requestId = reply.headers.get('x-request-id') ?? ''
  if (reply.status !== 200) {
    seen[reply.status === 429 ? 'refused' : 'unavailable'] += 1
    await reply.text()
    return await delay(reply.status === 429 ? 30 : 100)
  }
  if (!isStream) {
    const { usage, choices } = (await reply.json()) as Whole
    return acknowledge(usage, choices[0]?.message.content ?? '')
  }
  const { events, done, text } = await readStream(reply)
  const usage = events.at(-1)?.usage as Usage | undefined
  if (done && usage !== undefined) return acknowledge(usage, text)
  const deltas = events.filter(({ choices }) => (choices?.[0]?.delta.content ?? '') !== '')
  if (deltas.length > 0) seen.tokens += promptTokens + deltas.length
  seen.cut += 1

  function acknowledge({ prompt_tokens, completion_tokens }: Usage, content: string): void {
    seen.tokens += prompt_tokens + completion_tokens
    seen.ok += 1
    journal.noteAcknowledged(number, {
      requestId,
      usage: { prompt_tokens, completion_tokens },
      textDigest: digestOf(content),
    })
  }
}

type Whole = { usage: Usage; choices: { message: { content: string } }[] }
