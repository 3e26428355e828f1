import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'

type JournalUsage = { readonly prompt_tokens: number; readonly completion_tokens: number }

/** A reply that a client has read to its end: the service may not forget it. */
export type Acknowledged = {
  readonly requestId: string
  readonly usage: JournalUsage
  /** SHA-256 of the text. */
  readonly textDigest: string
  /** Absent if the request had no idempotency key. */
  readonly idempotencyKey?: string
}

type Line = { sent: number; idempotencyKey?: string } | ({ answers: number } & Acknowledged)

/**
 * Journal of the requests of clients and of the acknowledged replies. Each line is on disk before the client continues.
 * The service does not write the journal, so a check can compare the ledger with an independent record.
 */
export class ClientJournal {
  readonly #file: number
  readonly #acknowledged: Acknowledged[] = []
  #sent = 0

  constructor(path: string) {
    this.#file = openSync(path, 'a')
  }

  get sent(): number {
    return this.#sent
  }

  get acknowledged(): readonly Acknowledged[] {
    return this.#acknowledged
  }

  /** Notes a request before it is sent, and returns its number. */
  noteSent(idempotencyKey?: string): number {
    this.#sent += 1
    this.#append({ sent: this.#sent, ...(idempotencyKey !== undefined && { idempotencyKey }) })
    return this.#sent
  }

  noteAcknowledged(number: number, acknowledged: Acknowledged): void {
    this.#append({ answers: number, ...acknowledged })
    this.#acknowledged.push(acknowledged)
  }

  close(): void {
    closeSync(this.#file)
  }

  #append(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
    fsyncSync(this.#file)
  }
}

/** Reads the acknowledged replies of a journal. Leaves out an incomplete last line. */
export function readAcknowledged(path: string): Acknowledged[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.flatMap((text) => {
    const line = JSON.parse(text) as Line
    if (!('answers' in line)) return []
    const { answers: _, ...acknowledged } = line
    return acknowledged
  })
}

type Post = (body: object, options: { headers: Record<string, string> }) => Promise<Response>

/**
 * Sends a chat completion, with `idempotencyKey` as a header, and notes it in the journal. Returns the reply if it was
 * acknowledged: a whole 200 response, or a stream with its usage that ends with `[DONE]`.
 */
export async function askAndNote(
  journal: ClientJournal,
  post: Post,
  body: object,
  idempotencyKey?: string,
): Promise<Acknowledged | undefined> {
  const number = journal.noteSent(idempotencyKey)
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  const response = await post(body, { headers })
  const raw = await response.text()
  if (response.status !== 200) return undefined
  const reply = raw.startsWith('{') ? readWhole(raw) : readStream(raw)
  if (reply === undefined) return undefined
  const acknowledged = {
    requestId: response.headers.get('x-request-id') ?? '',
    usage: reply.usage,
    textDigest: digestOf(reply.text),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
  journal.noteAcknowledged(number, acknowledged)
  return acknowledged
}

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type Part = { usage?: JournalUsage | null; choices: { delta?: { content?: string } }[] }

function readWhole(raw: string): { text: string; usage: JournalUsage } {
  const { choices, usage } = JSON.parse(raw) as {
    choices: { message: { content: string } }[]
    usage: JournalUsage
  }
  return { text: choices.map(({ message }) => message.content).join('\n'), usage }
}

function readStream(raw: string): { text: string; usage: JournalUsage } | undefined {
  if (!raw.endsWith('data: [DONE]\n\n')) return undefined
  const parts = raw
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)) as Part)
  const usage = parts.findLast((part) => part.usage != null)?.usage
  if (usage == null) throw new Error('ask for the usage with stream_options.include_usage')
  return { text: parts.map(({ choices }) => choices[0]?.delta?.content ?? '').join(''), usage }
}
