import { setTimeout } from 'node:timers/promises'
import { addAccountWithKey } from '../support/accounts.ts'
import { residentBytes, type ServeProcess, startProcess } from '../support/process.ts'
import { question } from '../support/service.ts'
import { Attack, type Sent } from './attack.ts'
import { toBytes } from './generators/draft.ts'
import { GoodClient, type GoodWindow } from './good-client.ts'
import type { HostileRequest, Mix } from './hostile-request.ts'
import { send } from './send.ts'
import { compareLatencies, growthOf, type Latencies, latenciesOf, median } from './verdict.ts'

export type CampaignSettings = {
  readonly name: string
  readonly environment: Record<string, string>
  readonly mix: Mix
  readonly count: number
  readonly seed: number
  /** Time between two requests of the good client. The campaign uses a longer one on a machine that is too slow. */
  readonly intervalMs: number
  readonly onProgress?: (line: string) => void
}

type Finding = { readonly text: string; readonly request?: HostileRequest }

/** Connections of the hostile caller, and of the ordinary caller that replaces it in calm windows. */
const neighbours = 2
const calmMs = 3000
const requestsOfCalmWindow = 100
const requestsOfWindowMax = 3000
const findingsMax = 20
/** Warm-up requests have numbers of their own, so that the measured ones begin at 0. */
const warmUpIndex = 2 ** 30
const warmUpBatchesMin = 4
const warmUpBatchesMax = 12
const warmGrowthBytes = 5 * 1024 * 1024
/** If the good client is delayed longer than this, the requests that were running are sent again, each alone. */
const stallMs = 250
/** Sentences of a prompt that takes more than half of the context window. */
const longSentences = 150

export type CampaignReport = Awaited<ReturnType<typeof runCampaign>>

/**
 * Starts a service and sends it hostile requests while a good client runs. Hostile windows alternate with calm ones.
 */
export async function runCampaign(settings: CampaignSettings) {
  const service = await startProcess(settings.environment)
  try {
    const { key } = await addAccountWithKey(service, 'good')
    await untilKeyWorks(service, key)
    const body = JSON.stringify({ ...question, max_tokens: 2, temperature: 0 })
    const { url } = service
    const intervalMs = Math.max(settings.intervalMs, 2 * (await ordinaryTime(service)))
    const good = new GoodClient({ url, key, body, intervalMs })
    try {
      const campaign = new Campaign(service, good, { ...settings, intervalMs })
      await campaign.run()
      return campaign.report()
    } finally {
      await good.close()
    }
  } finally {
    await service.dispose()
  }
}

class Campaign {
  readonly #service: ServeProcess
  readonly #good: GoodClient
  readonly #settings: CampaignSettings
  readonly #attack: Attack
  readonly #enginePid: number | undefined
  readonly #calm: Latencies[] = []
  readonly #hostile: Latencies[] = []
  /** Resident bytes after each calm window: when the hostile requests are over and the memory has settled. */
  readonly #memory: Record<'front' | 'engine', number[]> = { front: [], engine: [] }
  readonly #findings: Finding[] = []
  #warmUpBatches = 0
  #ordinary = 0

  constructor(service: ServeProcess, good: GoodClient, settings: CampaignSettings) {
    this.#service = service
    this.#good = good
    this.#settings = settings
    this.#attack = new Attack(service.url, service.key, settings)
    this.#enginePid = service.enginePid()
  }

  async run(): Promise<void> {
    await this.#warmUp()
    const { count } = this.#settings
    const size = Math.min(requestsOfWindowMax, Math.ceil(count / 10))
    for (let from = 0; from < count && this.#findings.length < findingsMax; from += size) {
      await this.#hostileWindow(from, Math.min(count, from + size))
      await this.#calmWindow()
      this.#progress(Math.min(count, from + size))
    }
    this.#checkLog()
  }

  report() {
    const { name, seed } = this.#settings
    const { front, engine } = this.#memory
    return {
      name,
      seed,
      sent: this.#attack.sent,
      replies: Object.fromEntries(
        [...this.#attack.replies].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
      times: [...this.#attack.times].map(([generator, times]) => ({
        generator,
        medianMs: median(times),
        maxMs: Math.max(...times.slice(-100_000)),
      })),
      latency: compareLatencies(this.#calm, this.#hostile),
      maxMs: Math.max(...this.#hostile.map(({ maxMs }) => maxMs)),
      calmMaxMs: Math.max(...this.#calm.map(({ maxMs }) => maxMs)),
      growth: { front: growthOf(front), engine: growthOf(engine) },
      memory: this.#memory,
      warmUpBatches: this.#warmUpBatches,
      findings: this.#findings,
    }
  }

  /**
   * Sends the largest of many requests, so that the heaps grow as far as such requests need. Then sends other requests
   * until the caches are full and the memory of both processes has settled.
   */
  async #warmUp(): Promise<void> {
    for (const request of this.#largest()) await this.#attack.sendOne(request)
    const size = Math.max(150, Math.ceil(Math.min(this.#settings.count, 40_000) / 40))
    let settled = 0
    for (let batch = 0; batch < warmUpBatchesMax; batch += 1) {
      if (batch >= warmUpBatchesMin && settled >= 2) break
      const before = this.#resident()
      const from = warmUpIndex + batch * size
      await this.#attack.send(from, from + size, neighbours)
      this.#takeFaults()
      this.#warmUpBatches += 1
      const { front, engine } = this.#resident()
      this.#settings.onProgress?.(
        `warm-up, ${(batch + 1) * size} requests: front ${megabytes(front)}, engine ${megabytes(engine)}`,
      )
      const grown = Math.max(front - before.front, engine - before.engine)
      settled = grown < warmGrowthBytes ? settled + 1 : 0
    }
    await this.#good.endWindow()
    await this.#calmWindow()
  }

  #largest(): HostileRequest[] {
    const all = Array.from({ length: 2000 }, (_, index) => this.#attack.request(-1 - index))
    return all.toSorted((a, b) => b.bytes.length - a.bytes.length).slice(0, 40)
  }

  async #calmWindow(): Promise<void> {
    const endMs = Date.now() + Math.max(calmMs, requestsOfCalmWindow * this.#settings.intervalMs)
    const neighbour = async () => {
      while (Date.now() < endMs) await send(this.#service.url, this.#ordinaryRequest(), 60_000)
    }
    await Promise.all(Array.from({ length: neighbours }, neighbour))
    const window = await this.#good.endWindow()
    this.#calm.push(latenciesOf(window))
    const { front, engine } = this.#resident()
    this.#memory.front.push(front)
    this.#memory.engine.push(engine)
  }

  async #hostileWindow(from: number, to: number): Promise<void> {
    const sent = await this.#attack.send(from, to, neighbours)
    const window = await this.#good.endWindow()
    this.#hostile.push(latenciesOf(window))
    this.#takeFaults()
    for (const [failure, times] of Object.entries(window.failures))
      this.#find(
        `the good client got ${failure} ${times} times beside requests ${from} to ${to - 1}`,
      )
    if (this.#service.enginePid() !== this.#enginePid)
      throw new Error(`the engine process was replaced beside requests ${from} to ${to - 1}`)
    await this.#findStalls(window, sent)
  }

  /** Resends the requests that were running while the good client was delayed: the five longest, each alone. */
  async #findStalls({ delays }: GoodWindow, sent: readonly Sent[]): Promise<void> {
    const limitMs = Math.max(stallMs, 3 * median(this.#calm.map(({ p99Ms }) => p99Ms)))
    const suspects = sent.filter(({ startMs, endMs }) =>
      delays.some(
        (delay) =>
          delay.ms > limitMs && endMs > delay.startMs - 1000 && startMs < delay.startMs + delay.ms,
      ),
    )
    const longest = suspects.toSorted((a, b) => b.endMs - b.startMs - (a.endMs - a.startMs))
    for (const { index } of longest.slice(0, 5)) {
      const request = this.#attack.request(index)
      const { delayMs, ordinaryMs } = await this.#delayBeside(request)
      this.#settings.onProgress?.(
        `tried again: ${request.generator}, request ${index}: ${delayMs} ms, beside an ordinary one ${ordinaryMs} ms`,
      )
      if (delayMs > Math.max(limitMs, 3 * ordinaryMs))
        this.#find(
          `the good client waits ${delayMs} ms, and ${ordinaryMs} ms beside an ordinary request`,
          request,
        )
    }
  }

  /**
   * Sends the request alone three times, each time after an ordinary request with a long prompt. Returns the good
   * client's smallest delay beside the hostile request, and its largest delay beside the ordinary ones.
   */
  async #delayBeside(request: HostileRequest): Promise<{ delayMs: number; ordinaryMs: number }> {
    const { url } = this.#service
    const hostile: number[] = []
    const ordinary: number[] = []
    const delayBeside = async (sending: () => Promise<unknown>) => {
      // Ends the earlier windows first. Otherwise their requests that are still waiting would count.
      await this.#good.endWindow()
      await this.#good.endWindow()
      await sending()
      // A delay may last longer than the request that causes it.
      await setTimeout(2 * this.#settings.intervalMs)
      return latenciesOf(await this.#good.endWindow()).maxMs
    }
    for (let time = 0; time < 3; time += 1) {
      const bytes = varySchema(request.bytes, time)
      const long = this.#ordinaryRequest(longSentences)
      ordinary.push(await delayBeside(() => send(url, long, 60_000)))
      hostile.push(await delayBeside(() => this.#attack.sendOne({ ...request, bytes })))
    }
    return { delayMs: Math.min(...hostile), ordinaryMs: Math.max(...ordinary) }
  }

  #ordinaryRequest(sentences?: number): Buffer {
    this.#ordinary += 1
    return ordinaryRequest(this.#service.key, this.#ordinary, sentences)
  }

  #takeFaults(): void {
    for (const { text, request } of this.#attack.faults.splice(0)) this.#find(text, request)
  }

  #find(text: string, request?: HostileRequest): void {
    this.#findings.push({ text, ...(request !== undefined && { request }) })
    const about = request === undefined ? '' : ` (${request.generator}, request ${request.index})`
    this.#settings.onProgress?.(`FINDING${about}: ${text}`)
  }

  #checkLog(): void {
    const { stdout, stderr } = this.#service.output()
    const lines = `${stdout}\n${stderr}`.split('\n')
    const faults = lines.filter((line) => /"level":[56]0|unhandled|assert|\bbug\b/i.test(line))
    for (const line of faults.slice(0, 5)) this.#find(`logged: ${line.slice(0, 2000)}`)
  }

  #resident(): { front: number; engine: number } {
    const pid = this.#enginePid
    return {
      front: residentBytes(this.#service.pid),
      engine: pid === undefined ? 0 : residentBytes(pid),
    }
  }

  #progress(done: number): void {
    const { calmMs: calm, hostileMs } = compareLatencies(this.#calm, this.#hostile)
    const { front, engine } = this.#memory
    const { name, count, onProgress } = this.#settings
    onProgress?.(
      `${name}: ${done} of ${count}; p99 of the good client ${calm} ms calm, ${hostileMs} ms hostile; ` +
        `front ${megabytes(front.at(-1))}, engine ${megabytes(engine.at(-1))}; ${this.#findings.length} findings`,
    )
  }
}

export function megabytes(bytes = 0): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`
}

/** Returns the median time in ms of an ordinary request that runs alone. */
async function ordinaryTime({ url, key }: ServeProcess): Promise<number> {
  const times: number[] = []
  for (let time = 0; time < 21; time += 1) {
    const startMs = Date.now()
    await send(url, ordinaryRequest(key, time), 60_000)
    times.push(Date.now() - startMs)
  }
  return median(times)
}

/** Returns ordinary request number `number`, which has a short prompt, a long prompt or a JSON schema. */
function ordinaryRequest(
  key: string,
  number: number,
  sentences = number % 4 === 0 ? 40 : 1,
): Buffer {
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema: ordinarySchema } }
  const content = `${number}: ${'The pipit sings above the meadow. '.repeat(sentences)}`
  const body = {
    ...question,
    max_tokens: 4,
    messages: [{ role: 'user', content }],
    ...(number % 4 === 1 && { response_format: format }),
  }
  return toBytes({ body: JSON.stringify(body) }, key)
}

const ordinarySchema = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 40 }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
}

/**
 * Changes the text of a schema but not its meaning, because the engine would reuse the compiled grammar of the same
 * schema.
 */
function varySchema(bytes: Buffer, time: number): Buffer {
  const text = bytes.toString('latin1')
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const body = rest
    .join('\r\n\r\n')
    .replace(/("schema":|"parameters":)\{(?=")/, `$1{"$comment":"${time}",`)
  const length = `Content-Length: ${Buffer.byteLength(body, 'latin1')}`
  return Buffer.from(`${head.replace(/^Content-Length: \d+/m, length)}\r\n\r\n${body}`, 'latin1')
}

async function untilKeyWorks(service: ServeProcess, key: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const response = await service.post({ ...question, max_tokens: 1 }, { key })
    await response.text()
    if (response.status === 200) return
    await setTimeout(100)
  }
  throw new Error('the good client cannot use its key')
}
