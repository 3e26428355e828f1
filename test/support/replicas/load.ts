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
  /** Failed connections, and the errors that docs/api.md lists for a service or an engine that cannot serve now. */
  unavailable: number
  cut: number
  /** Each other status and error. */
  unexpected: string[]
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
  const seen = noneSeen()
  const client = async (first: number) => {
    for (let turn = first; !options.signal.aborted; turn++) {
      const replica = cluster.replicas[turn % cluster.replicas.length]
      if (replica === undefined) continue
      await ask(replica, { ...options, isStream: turn % 3 !== 0, promptTokens, seen })
    }
  }
  await Promise.all(Array.from({ length: options.clients }, (_, index) => client(index)))
  return seen
}

type WaitOptions = Omit<LoadOptions, 'clients' | 'signal'> & { timeoutMs: number }

/** Sends requests to all replicas in turn until one gets its whole reply. Throws if none does in time. */
export async function awaitReply(
  cluster: Targets,
  promptTokens: number,
  { timeoutMs, ...options }: WaitOptions,
): Promise<Seen> {
  const stop = AbortSignal.timeout(timeoutMs)
  const seen = noneSeen()
  for (let turn = 0; seen.ok === 0 && !stop.aborted; turn++) {
    const replica = cluster.replicas[turn % cluster.replicas.length]
    if (replica === undefined) break
    await ask(replica, { ...options, isStream: false, promptTokens, seen })
  }
  if (seen.ok > 0) return seen
  throw new Error(`no whole reply in ${timeoutMs / 1000} s: ${describeSeen(seen)}`)
}

/** Describes how requests ended that got no whole reply. */
function describeSeen({ refused, unavailable, cut, unexpected }: Seen): string {
  const others = unexpected.length === 0 ? '' : `, ${unexpected.join(', ')}`
  return `${refused} refused, ${unavailable} unavailable, ${cut} cut${others}`
}

function noneSeen(): Seen {
  return { tokens: 0, ok: 0, refused: 0, unavailable: 0, cut: 0, unexpected: [] }
}

type Asked = Omit<LoadOptions, 'clients' | 'signal'> & {
  isStream: boolean
  promptTokens: number
  seen: Seen
}

/** Sends one request, and pauses if it was not served. */
async function ask(replica: Target, asked: Asked): Promise<void> {
  try {
    await tryOnce(replica, asked)
  } catch (error) {
    const { seen } = asked
    // `fetch` throws a TypeError with one of these messages if a connection fails.
    if (error instanceof TypeError && /^(fetch failed|terminated)$/.test(error.message))
      seen.unavailable += 1
    else seen.unexpected.push(String(error))
    await delay(100)
  }
}

async function tryOnce(
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
    const { status } = reply
    const code = codeOf(await reply.text())
    if (status === 429) seen.refused += 1
    else if (status === 503 || status === 504 || code === 'engine_failed') seen.unavailable += 1
    else seen.unexpected.push(`${status} ${code}`)
    return await delay(status === 429 ? 30 : 100)
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

/** Returns the code of an error; an empty text if the body, such as a proxy's own, has none. */
function codeOf(body: string): string {
  try {
    return (JSON.parse(body) as { error?: { code?: string } }).error?.code ?? ''
  } catch {
    return ''
  }
}

type Whole = { usage: Usage; choices: { message: { content: string } }[] }
