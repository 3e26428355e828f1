import type { UpstreamStatus } from '../../engine.ts'
import type { FaultKind } from '../upstream-fault.ts'
import { failuresMax, missedProbesMax } from '../upstream-limits.ts'
import type { ReportedLoad } from './reported-load.ts'

type LoadReport = {
  readonly load: ReportedLoad
  /** Number of our own requests among them. */
  readonly own: number
  /** Time from which the report is too old to be used, by the monotonic clock. */
  readonly untilMs: number
}

/**
 * Faults that make an upstream unhealthy. After the others, it works and has answered: it has no capacity now, or the
 * request may be to blame. Otherwise any client could eject an upstream with a request that its model or template cannot
 * serve: llama-server answers 500 to a conversation that the chat template refuses.
 */
const isUnhealthy: Readonly<Record<FaultKind, boolean>> = {
  unreachable: true,
  lost: true,
  busy: false,
  refused: false,
  tooLong: false,
  filtered: false,
  wrongCalls: false,
  errored: false,
  noReply: true,
  failed: true,
}

/** One upstream engine, or one router. */
export class Endpoint {
  readonly url: string
  /** Requests of this service in flight. */
  outstanding = 0
  /** Context that the last successful probe reported. */
  contextTokens: number | undefined
  /** Facts shown to operators. No decision depends on them. */
  readonly seen: {
    -readonly [Name in 'probedMs' | 'nextProbeMs' | 'fault']?: UpstreamStatus[Name]
  } = {}
  #state: UpstreamStatus['state'] = 'new'
  #ejectedMs: number | undefined
  #ejections = 0
  #failures = 0
  /** Consecutive probes without a reply in time, and without a sign of life since. */
  #missedProbes = 0
  /** Time of the last sign of life, by the monotonic clock. */
  #aliveMs = Number.NEGATIVE_INFINITY
  #report: LoadReport | undefined

  constructor(url: string) {
    this.url = url
  }

  get isUp(): boolean {
    return this.#state === 'up'
  }

  /** True if the latest request or probe has failed. */
  get hasFailed(): boolean {
    return this.#failures > 0 || this.#missedProbes > 0
  }

  get status(): UpstreamStatus {
    const { probedMs, nextProbeMs, fault } = this.seen
    const { url, outstanding: inFlight } = this
    const ejectedMs = this.#state === 'ejected' ? this.#ejectedMs : undefined
    const [state, ejections] = [this.#state, this.#ejections]
    const load = this.report(performance.now())?.load
    return { url, state, inFlight, load, ejections, ejectedMs, probedMs, nextProbeMs, fault }
  }

  /** The latest report of the upstream's load. Undefined if there is none, or if it is too old. */
  report(nowMs: number): LoadReport | undefined {
    return this.#report !== undefined && nowMs < this.#report.untilMs ? this.#report : undefined
  }

  noteReport(report: LoadReport): void {
    this.#report = report
  }

  /** Time since the last sign of life. */
  silentMs(nowMs: number): number {
    return nowMs - this.#aliveMs
  }

  /** Records a sign of life, such as a part of a reply or a list of models. It does not end a row of faults. */
  noteLife(nowMs: number): void {
    this.#aliveMs = nowMs
    this.#missedProbes = 0
  }

  /** Records a complete reply. Only a probe, not a reply, ends an ejection. */
  noteSuccess(): void {
    this.#failures = 0
  }

  /** Records a probe that has generated a completion. Returns true if the upstream was not up before. */
  admit(nowMs: number): boolean {
    const isNew = this.#state !== 'up'
    this.#state = 'up'
    this.#failures = 0
    this.noteLife(nowMs)
    return isNew
  }

  /** Records a failure. Returns true if it ejects the upstream. */
  noteFault(kind: FaultKind): boolean {
    if (!isUnhealthy[kind]) return false
    this.#failures += 1
    if (this.#state === 'ejected') return false
    if (kind !== 'unreachable' && this.#failures < failuresMax) return false
    return this.#eject()
  }

  /**
   * Records a failed probe. Returns true if it ejects the upstream. An upstream that is up may miss one probe, because
   * the probe waits in the engine's own queue while the engine is saturated.
   */
  noteFailedProbe(isLate: boolean): boolean {
    if (isLate) this.#missedProbes += 1
    const isTolerated = isLate && this.isUp && this.#missedProbes < missedProbesMax
    return !isTolerated && this.#eject()
  }

  #eject(): boolean {
    if (this.#state === 'ejected') return false
    this.#state = 'ejected'
    this.#ejections += 1
    this.#ejectedMs = Date.now()
    return true
  }
}
