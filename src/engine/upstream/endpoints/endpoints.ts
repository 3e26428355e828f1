import type { Logger } from '../../../telemetry/logger.ts'
import type { UpstreamStatus } from '../../engine.ts'
import { UpstreamFault } from '../upstream-fault.ts'
import { loadValidReads, type UpstreamTimeouts } from '../upstream-limits.ts'
import type { UpstreamSettings } from '../upstream-settings.ts'
import { type Connections, NoReplyYet } from '../wire/send.ts'
import { chooseEndpoint } from './choose-endpoint.ts'
import { Endpoint } from './endpoint.ts'
import { probeCompletion, probeModels } from './probe.ts'
import { canReportLoad, fetchLoad } from './reported-load.ts'

type EndpointsOptions = {
  readonly settings: UpstreamSettings
  readonly timeouts: UpstreamTimeouts
  readonly connections: Connections
  readonly headers: Readonly<Record<string, string>>
  readonly logger: Logger
}

/** Tracks which upstreams are up, by probes and by the results of requests. Chooses an upstream for each request. */
export class Endpoints {
  readonly #options: EndpointsOptions
  readonly #all: readonly Endpoint[]
  readonly #closing = new AbortController()
  readonly #timers = new Map<Endpoint, NodeJS.Timeout>()
  readonly #readsLoad: boolean
  /** Upstreams without a readable load, of which the log has said so. */
  readonly #withoutLoad = new Set<Endpoint>()
  /** Upstreams that are probed now because they have reported an error. */
  readonly #suspects = new Set<Endpoint>()
  #hasBeenUp = false

  constructor(options: EndpointsOptions) {
    this.#options = options
    this.#all = options.settings.urls.map((url) => new Endpoint(url))
    this.#readsLoad = this.#all.length > 1 && canReportLoad(options.settings)
  }

  /** True once any upstream has been up. */
  get hasBeenUp(): boolean {
    return this.#hasBeenUp
  }

  get isUp(): boolean {
    return this.#all.some(({ isUp }) => isUp)
  }

  /** The smallest context that the upstreams which are up have reported. If none has, the smallest of all upstreams. */
  get contextTokens(): number | undefined {
    return smallestContext(this.#all.filter(({ isUp }) => isUp)) ?? smallestContext(this.#all)
  }

  /** State of every endpoint, in the order of the settings. */
  get status(): UpstreamStatus[] {
    return this.#all.map(({ status }) => status)
  }

  /** Probes all upstreams once. Later probes skip those with a recent sign of life. */
  async start(): Promise<void> {
    await Promise.all(this.#all.map((endpoint) => this.#check(endpoint)))
  }

  /** @throws UpstreamFault unreachable if no upstream is up */
  choose(prefix: number | undefined, tried: ReadonlySet<Endpoint> = new Set()): Endpoint {
    const endpoint = chooseEndpoint(this.#all, prefix, tried, performance.now())
    if (endpoint === undefined) throw new UpstreamFault('unreachable', 'all upstreams are ejected')
    return endpoint
  }

  /** Returns true if an untried upstream is up. */
  hasOther(tried: ReadonlySet<Endpoint>): boolean {
    return this.#all.some((endpoint) => endpoint.isUp && !tried.has(endpoint))
  }

  noteFault(endpoint: Endpoint, fault: UpstreamFault): void {
    endpoint.seen.fault = { atMs: Date.now(), reason: fault.reason }
    this.#log('an upstream failed a request', endpoint, fault)
    if (endpoint.noteFault(fault.kind)) this.#log('an upstream is ejected', endpoint, fault)
    if (fault.kind === 'errored') void this.#probeSuspect(endpoint)
  }

  close(): void {
    this.#closing.abort()
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }

  /** Probes an upstream and reads its load, at the same time, then schedules the next check. */
  async #check(endpoint: Endpoint): Promise<void> {
    await Promise.all([this.#probe(endpoint), this.#readLoad(endpoint)])
    this.#schedule(endpoint)
  }

  /** Probes an upstream that has reported an error, to see whether the request or the upstream is to blame. */
  async #probeSuspect(endpoint: Endpoint): Promise<void> {
    if (!endpoint.isUp || this.#suspects.has(endpoint)) return
    this.#suspects.add(endpoint)
    await this.#probe(endpoint, true)
    this.#suspects.delete(endpoint)
  }

  async #probe(endpoint: Endpoint, isSuspect = false): Promise<void> {
    try {
      await this.#tryProbe(endpoint, isSuspect)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      const fault =
        error instanceof UpstreamFault ? error : new UpstreamFault('failed', 'the probe failed')
      // An engine that is only busy is left to the regular probes. Clients decide how often a suspect is probed.
      if (isSuspect && (fault.kind === 'busy' || fault instanceof NoReplyYet)) return
      endpoint.seen.fault = { atMs: Date.now(), reason: fault.reason }
      // Otherwise an overload would eject all upstreams. One that is still loading may say the same, so it stays out.
      if (fault.kind === 'busy' && endpoint.isUp) endpoint.noteLife(performance.now())
      else if (endpoint.noteFailedProbe(fault instanceof NoReplyYet))
        this.#log('an upstream is ejected', endpoint, fault)
    }
  }

  /** Reads the load that an upstream reports. A failure only means that the last figure grows old. */
  async #readLoad(endpoint: Endpoint): Promise<void> {
    if (!this.#readsLoad || !endpoint.isUp) return
    const { settings, timeouts, connections, headers, logger } = this.#options
    const ownBefore = endpoint.outstanding
    try {
      const target = { url: endpoint.url, connections, headers }
      const load = await fetchLoad(settings, target, this.#closing.signal)
      // Requests that began or ended meanwhile may be in the figure. So the larger count is taken as our part of it.
      const own = Math.max(ownBefore, endpoint.outstanding)
      const untilMs = performance.now() + loadValidReads * timeouts.probeEveryMs
      endpoint.noteReport({ load, own, untilMs })
    } catch (error) {
      if (this.#closing.signal.aborted || this.#withoutLoad.has(endpoint)) return
      this.#withoutLoad.add(endpoint)
      const reason = error instanceof UpstreamFault ? error.reason : 'the read failed'
      const message = 'an upstream does not report its load, so only our own requests are counted'
      logger.info(message, { upstream: originOf(endpoint), reason })
    }
  }

  /**
   * Probes an upstream by reading its model list and, unless the list is enough, by generating a completion. The list
   * is enough only for an upstream that is up, in three cases: it may be a router whose completions cost money, the
   * completion might queue behind our own requests, or no other upstream could take the requests of one that hangs. A
   * completion then only replaces the cached prompt of an engine with one slot. A suspect always generates, because its
   * list says nothing of the error, and so does one that has failed.
   */
  async #tryProbe(endpoint: Endpoint, isSuspect: boolean): Promise<void> {
    const { settings, timeouts, connections, headers, logger } = this.#options
    const { signal } = this.#closing
    const isSilent = endpoint.silentMs(performance.now()) >= timeouts.probeEveryMs
    if (endpoint.isUp && !isSuspect && !isSilent) return
    endpoint.seen.probedMs = Date.now()
    const target = { url: endpoint.url, connections, headers }
    const contextTokens = await probeModels(settings, target, signal)
    const isListEnough =
      endpoint.isUp &&
      !isSuspect &&
      (settings.flavour === 'openai' ||
        (!runsAllAtOnce(settings) &&
          (endpoint.outstanding > 0 || (this.#all.length === 1 && !endpoint.hasFailed))))
    if (!isListEnough) await probeCompletion(settings, target, signal)
    endpoint.contextTokens = contextTokens
    this.#hasBeenUp = true
    // The list says nothing of the replies, so reading it does not end a row of faults.
    if (isListEnough) endpoint.noteLife(performance.now())
    else if (endpoint.admit(performance.now()))
      logger.info('an upstream serves', { upstream: originOf(endpoint) })
  }

  /** Schedules the next check with up to 20 % jitter, so that replicas of this service do not act in step. */
  #schedule(endpoint: Endpoint): void {
    if (this.#closing.signal.aborted) return
    const ms = this.#options.timeouts.probeEveryMs * (1 + 0.2 * Math.random())
    endpoint.seen.nextProbeMs = Date.now() + Math.round(ms)
    this.#timers.set(endpoint, setTimeout(() => void this.#check(endpoint), ms).unref())
  }

  #log(message: string, endpoint: Endpoint, { kind, reason }: UpstreamFault): void {
    const isOfRequest = kind === 'refused' || kind === 'tooLong' || kind === 'filtered'
    const level = isOfRequest ? 'info' : 'warn'
    this.#options.logger[level](message, { upstream: originOf(endpoint), reason })
  }
}

/** Returns true for engines with continuous batching and many slots, where a tiny completion never waits long. */
function runsAllAtOnce({ flavour }: UpstreamSettings): boolean {
  return flavour === 'vllm' || flavour === 'sglang'
}

function smallestContext(endpoints: readonly Endpoint[]): number | undefined {
  const contexts = endpoints.flatMap(({ contextTokens }) => contextTokens ?? [])
  return contexts.length > 0 ? Math.min(...contexts) : undefined
}

function originOf({ url }: Endpoint): string {
  return new URL(url).origin
}
