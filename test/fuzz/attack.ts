import {
  type GeneratorName,
  hostileRequest,
  type HostileRequest,
  type Mix,
} from './hostile-request.ts'
import { codeOf, faultOf } from './judge-reply.ts'
import { send } from './send.ts'

/** Longest time until a hostile request must have its whole response. */
const replyTimeoutMs = 30_000

type Fault = { readonly request: HostileRequest; readonly text: string }
export type Sent = { readonly index: number; readonly startMs: number; readonly endMs: number }

/** Sends the generated requests of one seed, and keeps their faults, statuses and response times. */
export class Attack {
  readonly #url: string
  readonly #key: string
  readonly #mix: Mix
  readonly #seed: number
  readonly faults: Fault[] = []
  /** Number of responses by status and error code. */
  readonly replies = new Map<string, number>()
  /** Response times in ms, by generator. */
  readonly times = new Map<GeneratorName, number[]>()
  #sent = 0

  constructor(url: string, key: string, { mix, seed }: { mix: Mix; seed: number }) {
    this.#url = url
    this.#key = key
    this.#mix = mix
    this.#seed = seed
  }

  get sent(): number {
    return this.#sent
  }

  request(index: number): HostileRequest {
    return hostileRequest(this.#mix, this.#seed, index, this.#key)
  }

  /** Sends the requests from `from` up to but not including `to`, at most `connections` at a time. */
  async send(from: number, to: number, connections: number): Promise<Sent[]> {
    const sent: Sent[] = []
    let next = from
    const work = async () => {
      while (next < to) {
        next += 1
        sent.push(await this.sendOne(this.request(next - 1)))
      }
    }
    await Promise.all(Array.from({ length: connections }, work))
    return sent
  }

  async sendOne(request: HostileRequest): Promise<Sent> {
    const startMs = Date.now()
    const reply = await send(this.#url, request.bytes, replyTimeoutMs)
    this.#sent += 1
    const name =
      reply.state === 'complete'
        ? `${reply.status} ${codeOf(reply.body) ?? ''}`.trim()
        : reply.state
    this.replies.set(name, (this.replies.get(name) ?? 0) + 1)
    const text = faultOf(reply, request.bytes.length)
    if (text !== undefined) this.faults.push({ request, text })
    const endMs = Date.now()
    const times = this.times.get(request.generator)
    if (times === undefined) this.times.set(request.generator, [endMs - startMs])
    else times.push(endMs - startMs)
    return { index: request.index, startMs, endMs }
  }
}
