import { Attempt } from './attempt.ts'
import { SimulatedClock } from './simulated/clock.ts'
import type { EngineTrace } from './simulated/engine.ts'
import { checkLimits } from './check-limits.ts'
import { checkInvariants, type Remains } from './invariants.ts'
import { LimitLog } from './limit-log.ts'
import { contextTokens, type RequestEvent, type Schedule, type SimulatedEvent } from './schedule.ts'
import { SimulatedService } from './service.ts'
import { SimulatedStore } from './simulated/store.ts'

type Outcome = {
  /** Faults as sentences; empty if every invariant held. */
  faults: string[]
  attempts: number
  /** Names of the outcomes of all requests, which show what the schedules cover. */
  ends: string[]
  starts: number
  /** One line for the end of each request or process; equal for equal schedules. */
  journal: string
}

const restartMs = 2000
const retryMs = 1500
const stopMs = 60_000
/** Longer than any request can take, including its body, its wait, its generation, a slow reader and a stuck disk. */
const endMs = 60_000 + 1_000_000
/**
 * Longer than the longest backoff of a failed write, and long enough for limits per minute to refill after a slow
 * restart.
 */
const settleMs = 105_000
/** Time for the last commits, on a healthy disk. */
const probesEndMs = 2000
const faultsMax = 10

/** Runs the schedule against the real service on a simulated clock, and checks the invariants at its end. */
export async function simulate(schedule: Schedule, image: Buffer): Promise<Outcome> {
  const world = new World(schedule, image)
  const uninstall = world.clock.install()
  const onRejection = (error: unknown) => world.report(`unhandled rejection: ${textOf(error)}`)
  process.on('unhandledRejection', onRejection)
  try {
    return await world.run()
  } finally {
    process.off('unhandledRejection', onRejection)
    uninstall()
    world.close()
  }
}

class World {
  readonly #schedule: Schedule
  readonly clock: SimulatedClock
  readonly #store: SimulatedStore
  readonly #faults: string[] = []
  readonly #attempts: Attempt[] = []
  readonly #journal: string[] = []
  readonly #traces = new Map<string, EngineTrace>()
  readonly #limitLogs: LimitLog[] = []
  readonly #revoked = new Set<string>()
  readonly #probes: RequestEvent[] = []
  /** Number of attempts and retries that have not ended. */
  #pending = 0
  #starts = 0
  #isStopping = false
  #service: SimulatedService | undefined

  constructor(schedule: Schedule, image: Buffer) {
    this.#schedule = schedule
    this.clock = new SimulatedClock(schedule.wallMs, (error) => this.report(textOf(error)))
    this.#store = new SimulatedStore(this.clock, image, schedule.commitMs)
  }

  async run(): Promise<Outcome> {
    const { clock } = this
    this.#start()
    for (const event of this.#schedule.events)
      clock.after(1000 + event.atMs, () => this.#happen(event))
    const lastMs = Math.max(0, ...this.#schedule.events.map(({ atMs }) => atMs))
    await clock.run(1001 + lastMs)
    await clock.run(endMs, () => this.#pending === 0)
    this.#store.recover()
    this.#store.killAtCommit(undefined)
    this.#service?.engine.pause(0)
    await clock.run(clock.nowMs + settleMs)
    this.#check(checkLimits)
    this.#sendProbes()
    await clock.run(clock.nowMs + endMs, () => this.#pending === 0)
    await clock.run(clock.nowMs + probesEndMs)
    this.#check(checkInvariants)
    return {
      faults: this.#faults,
      attempts: this.#attempts.length,
      ends: this.#attempts.map(({ end }) => nameOf(end)),
      starts: this.#starts,
      journal: this.#journal.join('\n'),
    }
  }

  close(): void {
    this.#store.close()
  }

  report(fault: string): void {
    if (this.#faults.length < faultsMax) this.#faults.push(fault)
  }

  #check(check: (remains: Remains, report: (fault: string) => void) => void): void {
    const service = this.#service
    if (service === undefined) return this.report('the service does not start again')
    const remains = {
      schedule: this.#schedule,
      attempts: this.#attempts,
      traces: this.#traces,
      store: this.#store,
      starts: this.#starts,
      limitLogs: this.#limitLogs,
      service,
    }
    check(remains, (fault) => this.report(fault))
  }

  #happen(event: SimulatedEvent): void {
    switch (event.type) {
      case 'request':
        return this.#send(event, event.retries)
      case 'refusals': {
        const refused = { ...refusedRequest, atMs: event.atMs, key: event.key }
        for (let count = 0; count < event.count; count++) this.#send(refused, 0)
        return
      }
      case 'store':
        return this.#store.behave(event.mode, event.forMs)
      case 'store-fatal':
        return this.#store.fail()
      case 'engine-crash':
        return this.#service?.engine.crash(event.restartMs)
      case 'engine-pause':
        return this.#service?.engine.pause(event.forMs)
      case 'revoke':
        return this.#revoke(event.key)
      case 'clock-jump':
        return this.clock.jump(event.byMs)
      case 'kill':
        return this.#kill(event.downMs)
      case 'kill-at-commit': {
        const { batches, committed, downMs } = event
        return this.#store.killAtCommit({ batches, committed, kill: () => this.#kill(downMs) })
      }
      case 'stop':
        return this.#stop(event.graceMs, event.downMs)
    }
  }

  /** Starts a process of the service, and retries until it runs. */
  #start(): void {
    this.#starts += 1
    const start = this.#starts
    const limitLog = new LimitLog()
    this.#limitLogs.push(limitLog)
    const options = {
      schedule: this.#schedule,
      port: this.#store.connect(),
      bootId: `boot_${start}`,
      traces: this.#traces,
      limitLog,
      onFault: (fault: string) => this.report(fault),
    }
    SimulatedService.start(options).then(
      (service) => {
        if (start !== this.#starts) return
        this.#service = service
        for (const keyId of this.#revoked) service.revoke(keyId)
        service.database.failed.addEventListener('abort', () => this.#kill(restartMs))
      },
      () => {
        if (start === this.#starts) this.#kill(restartMs)
      },
    )
  }

  /** Ends the process as SIGKILL does, and starts another one later. */
  #kill(downMs: number): void {
    this.#service?.die()
    this.#service = undefined
    this.#isStopping = false
    this.#starts += 1
    const end = this.#starts
    this.#store.disconnect()
    this.clock.dropTimers()
    this.#journal.push(`${this.clock.nowMs} the process ends`)
    for (const attempt of this.#attempts) if (attempt.end === undefined) attempt.abandon()
    this.clock.after(downMs, () => {
      if (end === this.#starts) this.#start()
    })
  }

  #stop(graceMs: number, downMs: number): void {
    const service = this.#service
    if (service === undefined || this.#isStopping) return
    this.#isStopping = true
    const start = this.#starts
    const end = () => {
      if (start === this.#starts) this.#kill(downMs)
    }
    service.stop(graceMs).then(end, end)
    this.clock.after(graceMs + stopMs, end)
  }

  #revoke(key: number): void {
    const keyId = this.#schedule.keys[key]?.keyId
    if (keyId === undefined) return
    this.#revoked.add(keyId)
    this.#service?.revoke(keyId)
  }

  #send(request: RequestEvent, retries: number, isProbe = false): void {
    const service = this.#service
    const key = this.#schedule.keys[request.key]
    if (key === undefined) return
    if (service === undefined || (this.#revoked.has(key.keyId) && !isProbe)) {
      if (service === undefined) this.#retry(request, retries)
      return
    }
    const accountLimits = this.#schedule.accountLimits[key.accountId] ?? {}
    const caller = service.callerOf(key, accountLimits)
    const unlimited = { ...caller, limits: {}, accountLimits: {}, revoked: never }
    const facts = {
      requestId: `req_${this.#attempts.length}`,
      request,
      caller: isProbe ? unlimited : caller,
      isProbe,
    }
    this.#pending += 1
    const attempt = new Attempt(facts, this.clock, {
      onFault: (fault) => this.report(fault),
      onEnd: () => this.#noteEnd(attempt, retries),
    })
    this.#attempts.push(attempt)
    attempt.send(service, this.clock)
  }

  #noteEnd({ request, requestId, end, deliveredTokens, isProbe }: Attempt, retries: number): void {
    this.#pending -= 1
    this.#journal.push(`${this.clock.nowMs} ${requestId} ${nameOf(end)} ${deliveredTokens}`)
    if (isProbe) this.#sendProbe()
    else if (end?.type !== 'complete') this.#retry(request, retries)
  }

  #retry(request: RequestEvent, retries: number): void {
    if (retries === 0) return
    this.#pending += 1
    this.clock.after(retryMs, () => {
      this.#pending -= 1
      this.#send(request, retries - 1)
    })
  }

  /** Sends each request with an `Idempotency-Key` once more, one after another. Each must run or be replayed. */
  #sendProbes(): void {
    const probes = new Map<string, RequestEvent>()
    for (const event of this.#schedule.events) {
      if (event.type !== 'request' || event.once === undefined) continue
      const name = `${this.#schedule.keys[event.key]?.accountId} ${event.once}`
      probes.set(name, { ...event, reader: 'fast', hangUpMs: undefined, bodyMs: 0 })
    }
    this.#probes.push(...probes.values())
    this.#sendProbe()
  }

  #sendProbe(): void {
    const probe = this.#probes.shift()
    if (probe !== undefined) this.#send(probe, 0, true)
  }
}

/** Revocation signal of a key that is never revoked. */
const never = new AbortController().signal

/** A request whose prompt does not fit. */
const refusedRequest: RequestEvent = {
  type: 'request',
  atMs: 0,
  key: 0,
  stream: false,
  choices: 1,
  maxTokens: 1,
  promptWords: contextTokens,
  replyTokens: 1,
  bodyMs: 0,
  reader: 'fast',
  hangUpMs: undefined,
  once: undefined,
  retries: 0,
  isWide: false,
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function nameOf(end: Attempt['end']): string {
  if (end === undefined) return 'open'
  return 'code' in end ? `${end.type} ${end.code}` : end.type
}
