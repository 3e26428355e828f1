import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentOfReply, contentOfStream, type Reply } from '../support/http/reply-content.ts'
import { journalFaults, readLedger } from '../support/journal/check-journal.ts'
import {
  type Acknowledged,
  type ClientJournal,
  digestOf,
} from '../support/journal/client-journal.ts'
import { openJournal } from '../support/journal/open-journal.ts'
import { childrenOf, startProcess, type ServeProcess } from '../support/process.ts'
import { randomNumbers } from '../support/random/random-numbers.ts'
import { testSeed } from '../support/random/test-seed.ts'
import { recordFinding } from '../support/reliability.ts'

/** Number of kills. Set ENGINE_KILLS to 1000 to check the goal, which takes about an hour. */
const kills = Number(process.env['ENGINE_KILLS'] ?? 40)
const loadTimeMs = 1500
let service: ServeProcess
beforeAll(async () => {
  // The clients take eight slots. The requests that are sent at each kill take turns on the ninth.
  service = await startProcess({ PIPIT_SLOTS: '9' })
})
afterAll(() => service.dispose())

const post = (body: object) => service.post({ model: 'svc-o1-mini', ...body })
const say = (content: string) => ({ messages: [{ role: 'user', content }] })

/** Times of the kills, as `performance.now()` gives them. */
const killTimes: number[] = []
/** Chunks that arrived at any client. */
let chunksSeen = 0

type ReplyError = { code: string; message: string }

type Run = {
  readonly body: object
  readonly requestId: string
  /** The reply's content; undefined if the request failed. */
  readonly content: object | undefined
  readonly errorCode: string | undefined
  readonly errorMessage?: string | undefined
  /** The reply's token counts; undefined if the request failed. */
  readonly usage?: Acknowledged['usage'] | undefined
  /** Number of kills while the request ran. */
  readonly crashes: number
  /** Longest wait between two chunks around a kill. */
  readonly pauseMs: number | undefined
}

test(
  'streams and whole replies survive kills of the engine, byte for byte, each with one ledger entry (F01, G5)',
  async () => {
    const stop = new AbortController()
    const runs: Run[] = []
    const journal = openJournal()
    const clients = forms.map((form, client) => runClient(form, client, runs, journal, stop.signal))
    let waits: number[] = []
    try {
      waits = await killRepeatedly()
    } finally {
      stop.abort()
      await Promise.allSettled(clients)
    }

    // An engine process that a busy machine starves counts as hung. Such a run proves nothing.
    const { stdout, stderr } = service.output()
    expect(stdout + stderr).not.toContain('it made no progress')
    const struck = runs.filter(({ errorCode }) => errorCode !== undefined)
    for (const { errorCode, errorMessage, crashes } of struck) {
      expect(errorCode, errorMessage).toBe('engine_failed')
      expect(crashes, errorMessage).toBeGreaterThanOrEqual(2)
    }
    const survivors = runs.filter((run) => run.crashes > 0 && run.content !== undefined)
    expect(await unequal(survivors)).toEqual([])
    expect(survivors.length).toBeGreaterThan(kills)
    checkLedger(runs, journal)
    const pauses = survivors.flatMap(({ pauseMs }) => pauseMs ?? [])
    const figures =
      `${kills} kills of the engine (TEST_SEED=${testSeed}): ${runs.length} replies, each with one entry in the ledger; ` +
      `${survivors.length} were running at a kill and ended whole, equal to an uninterrupted run; ` +
      `${struck.length} met two kills and failed; a stream paused for ${percentile(pauses, 0.5)} ms (p50) and ` +
      `${percentile(pauses, 0.99)} ms (p99), a new request took ${percentile(waits, 0.5)} and ${percentile(waits, 0.99)} ms; ` +
      `the goal is the load time and 2 s: ${loadTimeMs + 2000} ms.`
    console.log(figures)
    recordFinding('F01', figures)
    recordFinding('G5', figures)
    // On an idle machine a restart takes a fifth of this bound.
    // Of a few kills, one may have met a stop of the whole machine.
    const share = kills >= 100 ? 0.99 : 0.8
    expect(percentile(waits, share)).toBeLessThan(loadTimeMs + 2000)
    expect(percentile(pauses, share)).toBeLessThan(loadTimeMs + 2000)
    expect(childrenOf(service.pid)).toHaveLength(1)
    expect(process.kill(service.pid, 0)).toBe(true)
  },
  1_000_000 + 6_000 * kills,
)

/**
 * Kills the engine at random moments. Returns, for each kill, the ms until the requests that waited for the restart had
 * their replies.
 */
async function killRepeatedly(): Promise<number[]> {
  const waits: number[] = []
  const random = randomNumbers(testSeed)
  for (let round = 0; round < kills; round += 1) {
    const threshold = chunksSeen + 600 + Math.floor(random() * 1800)
    await expect.poll(() => chunksSeen, { timeout: 60_000, interval: 2 }).toBeGreaterThan(threshold)
    const engine = service.enginePid()!
    const queued = post({ ...say('Hello!'), max_tokens: 8 })
    process.kill(engine, 'SIGKILL')
    const killedMs = performance.now()
    killTimes.push(killedMs)
    const next = await post({ ...say('Hello again!'), max_tokens: 8 })
    expect([next.status, (await queued).status]).toEqual([200, 200])
    await Promise.all([next.text(), (await queued).text()])
    waits.push(performance.now() - killedMs)
    expect(service.enginePid()).not.toBe(engine)
  }
  return waits
}

const schema = {
  type: 'object',
  properties: {
    songs: { type: 'array', items: { type: 'string', maxLength: 40 }, minItems: 12, maxItems: 20 },
    river: { type: 'string', minLength: 40, maxLength: 200 },
  },
  required: ['songs', 'river'],
  additionalProperties: false,
}
const tool = { name: 'describe_river', description: 'Describes a river.', parameters: schema }
const streamed = { stream: true, stream_options: { include_usage: true } }

/** The request of each client. Together the requests take eight slots. */
const forms: readonly object[] = [
  streamed,
  { ...streamed, temperature: 0 },
  {
    ...streamed,
    response_format: { type: 'json_schema', json_schema: { name: 'river', schema, strict: true } },
  },
  {
    ...streamed,
    tools: [{ type: 'function', function: { ...tool, strict: true } }],
    tool_choice: 'required',
  },
  { ...streamed, logprobs: true, top_logprobs: 3, stop: ['winter', ' fish '] },
  { ...streamed, n: 2, presence_penalty: 0.5 },
  {},
]

async function runClient(
  form: object,
  client: number,
  runs: Run[],
  journal: ClientJournal,
  signal: AbortSignal,
): Promise<void> {
  for (let index = 0; !signal.aborted; index += 1) {
    const prompt = say(`Write a long story about river ${index} and bird ${client}.`)
    const body = { max_tokens: 2048, temperature: 1, seed: index, ...prompt, ...form }
    runs.push(await runOnce(body, journal))
  }
}

async function runOnce(body: object, journal?: ClientJournal): Promise<Run> {
  const startedMs = performance.now()
  const number = journal?.noteSent() ?? 0
  const response = await post(body)
  const requestId = response.headers.get('x-request-id') ?? ''
  const arrivals: number[] = []
  let raw = ''
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for await (const bytes of response.body ?? []) {
      raw += decoder.decode(bytes, { stream: true })
      arrivals.push(performance.now())
      chunksSeen += 1
    }
  } catch {
    // A failed stream is cut after its error event.
  }
  const endedMs = performance.now()
  const times = killTimes.filter((ms) => ms >= startedMs && ms <= endedMs)
  const isStream = 'stream' in body
  const reply = read(raw, isStream)
  if (reply.content !== undefined && reply.usage !== undefined)
    journal?.noteAcknowledged(number, {
      requestId,
      usage: reply.usage,
      textDigest: digestOf(JSON.stringify(reply.content)),
    })
  const gaps = isStream ? times.flatMap((killMs) => gapAround(killMs, arrivals)) : []
  return {
    body,
    requestId,
    ...reply,
    crashes: times.length,
    pauseMs: gaps.length === 0 ? undefined : Math.max(...gaps),
  }
}

/** Returns the ms between the chunks before and after a kill; empty if there is no chunk on one side. */
function gapAround(killMs: number, arrivals: readonly number[]): number[] {
  const before = arrivals.findLast((ms) => ms <= killMs)
  const after = arrivals.find((ms) => ms > killMs)
  return before === undefined || after === undefined ? [] : [after - before]
}

function read(
  raw: string,
  isStream: boolean,
): Pick<Run, 'content' | 'errorCode' | 'errorMessage' | 'usage'> {
  if (!isStream) {
    const reply = JSON.parse(raw) as Reply & { error?: ReplyError }
    if (reply.error !== undefined)
      return { content: undefined, errorCode: reply.error.code, errorMessage: reply.error.message }
    return { content: contentOfReply(reply), errorCode: undefined, usage: reply.usage }
  }
  const payloads = raw.split('\n').flatMap((line) => line.match(/^data: (.*)$/)?.[1] ?? [])
  const isDone = payloads.at(-1) === '[DONE]'
  const events = payloads
    .filter((text) => text !== '[DONE]')
    .map((text) => JSON.parse(text) as { error?: ReplyError; usage?: Run['usage'] | null })
  const usage = events.at(-1)?.usage ?? undefined
  if (isDone) return { content: contentOfStream(events), errorCode: undefined, usage }
  const { code = 'cut', message } = events.at(-1)?.error ?? {}
  return { content: undefined, errorCode: code, errorMessage: message }
}

/** Runs the same requests again without kills, and returns the ids of requests whose replies differ. */
async function unequal(survivors: readonly Run[]): Promise<string[]> {
  const waiting = [...survivors]
  const different: string[] = []
  const work = async (): Promise<void> => {
    for (let run = waiting.pop(); run !== undefined; run = waiting.pop()) {
      const { content } = await runOnce(run.body)
      if (!isDeepStrictEqual(content, run.content)) different.push(run.requestId)
    }
  }
  await Promise.all(forms.map(work))
  return different
}

/** Expects each reply to have one entry with the usage that its client saw, and each failed request one that says so. */
function checkLedger(runs: readonly Run[], { acknowledged }: ClientJournal): void {
  const rows = readLedger(service.dataDir)
  expect(journalFaults({ acknowledged, rows })).toEqual([])
  const whole = runs.filter(({ content }) => content !== undefined)
  expect(acknowledged.length).toBe(whole.length)
  const failed = new Set(runs.filter((run) => !whole.includes(run)).map((run) => run.requestId))
  const outcomes = rows.filter((row) => failed.has(row.request_id)).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(Array(failed.size).fill('engine_crash'))
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN)
}
