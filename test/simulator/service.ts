import type { Caller } from '../../src/accounts/caller.ts'
import { Admission } from '../../src/completions/admission/admission.ts'
import type { CompletionServices } from '../../src/completions/completion-services.ts'
import { Idempotency } from '../../src/completions/once/idempotency.ts'
import { Database } from '../../src/storage/database.ts'
import { StorageLink } from '../../src/storage/threads/storage-link.ts'
import type { StoragePort } from '../../src/storage/threads/thread-messages.ts'
import type { Logger } from '../../src/telemetry/logger.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { RateLimits } from '../../src/usage/limits/rate-limits.ts'
import { ExpiryClock } from '../../src/usage/upkeep/expiry-clock.ts'
import { sweepOrphans } from '../../src/usage/upkeep/orphan-sweep.ts'
import type { LimitLog } from './limit-log.ts'
import { type EngineTrace, SimulatedEngine } from './simulated/engine.ts'
import type { Schedule, SimulatedKey } from './schedule.ts'

// All services share these metrics: no check reads their values, and creating them takes milliseconds.
const metrics = createMetrics(
  {
    state: 'ready',
    info: { slots: 1 },
    stats: () => ({ restarts: 0, speculativeTokens: 0, promptTokens: 0, completionTokens: 0 }),
  },
  { running: 0, waiting: 0, backlogMs: 0 },
)

/** Beginnings of the errors and warnings that a service may log while the disk, the clock or the engine misbehave. */
const expectedLines = [
  'a ledger entry could not be settled yet',
  'writes of the ledger are left to the next start',
  'open entries could not be closed',
  'refused requests could not be counted yet',
  'the clock is ahead of the last run',
]

type Options = {
  schedule: Schedule
  port: StoragePort
  bootId: string
  traces: Map<string, EngineTrace>
  limitLog: LimitLog
  onFault: (fault: string) => void
}

/**
 * One process of the service: the parts that `main.ts` assembles, without HTTP. All code is real except the engine and
 * the storage thread. After `die` it does nothing more.
 */
export class SimulatedService {
  readonly engine: SimulatedEngine
  readonly database: Database
  readonly ledger: Ledger
  readonly rateLimits: RateLimits
  readonly admission: Admission
  readonly services: CompletionServices
  readonly #stopping = new AbortController()
  readonly #revoked = new Map<string, AbortController>()
  readonly #process: { isDead: boolean }
  readonly #stopSweep: () => void

  private constructor(
    { schedule, traces, limitLog }: Options,
    { database, ledger, rateLimits, logger, process, stopSweep }: Opened,
  ) {
    this.database = database
    this.ledger = ledger
    this.rateLimits = rateLimits
    this.#process = process
    this.#stopSweep = stopSweep
    this.engine = new SimulatedEngine(schedule, traces)
    this.admission = new Admission({ slots: schedule.slots, queueMax: schedule.queueMax })
    this.services = {
      engine: this.engine,
      admission: this.admission,
      idempotency: new Idempotency(ledger),
      ledger,
      rateLimits: limitLog.watch(rateLimits),
      metrics,
      logger,
      completionTokens: { default: 256, max: 2048 },
      tellsSchema: false,
      now: Date.now,
      stopping: this.#stopping.signal,
    }
  }

  /** @throws ServiceError ledger_unavailable */
  static async start(options: Options): Promise<SimulatedService> {
    const { port, bootId, onFault } = options
    const process = { isDead: false }
    const logger = faultLogger(process, onFault)
    const database = new Database('simulated', new StorageLink(port))
    const clock = await ExpiryClock.open(database, { logger, now: () => Date.now() })
    const ledger = Ledger.open(database, bootId, { logger, expiryNow: () => clock.nowMs() })
    await ledger.closeOrphans()
    const stopSweep = sweepOrphans(ledger, logger)
    const steady = { wallMs: () => Date.now(), steadyMs: () => performance.now() }
    const rateLimits = await RateLimits.open(database, steady)
    const opened = { database, ledger, rateLimits, logger, process, stopSweep }
    return new SimulatedService(options, opened)
  }

  callerOf({ accountId, keyId, limits }: SimulatedKey, accountLimits: Caller['limits']): Caller {
    return {
      accountId,
      keyId,
      name: keyId,
      accountName: accountId,
      scopes: ['chat'],
      limits,
      accountLimits,
      createdMs: 0,
      expiresMs: undefined,
      revoked: this.#revocationOf(keyId).signal,
    }
  }

  revoke(keyId: string): void {
    this.#revocationOf(keyId).abort()
  }

  /** Stops as after SIGTERM: lets running replies end, and writes the entries that wait. */
  async stop(graceMs: number): Promise<void> {
    if (!(await this.admission.close(graceMs))) this.#stopping.abort()
    // Time in which the HTTP server would wait for its last responses.
    await new Promise((resolve) => setTimeout(resolve, 1000))
    this.#stopSweep()
    await this.ledger.close()
    await this.database.close()
    await this.engine.close()
  }

  /** Ends the process as a kill does. The caller must also drop its timers and disconnect its disk. */
  die(): void {
    this.#process.isDead = true
  }

  #revocationOf(keyId: string): AbortController {
    const known = this.#revoked.get(keyId) ?? new AbortController()
    this.#revoked.set(keyId, known)
    return known
  }
}

type Opened = Pick<SimulatedService, 'database' | 'ledger' | 'rateLimits'> & {
  logger: Logger
  process: { isDead: boolean }
  stopSweep: () => void
}

/** Returns a logger that reports every unexpected warning or error as a fault. */
function faultLogger(process: { isDead: boolean }, onFault: (fault: string) => void): Logger {
  const report: Logger['error'] = (message, fields) => {
    if (process.isDead || expectedLines.some((line) => message.startsWith(line))) return
    onFault(`the service logged “${message}”: ${JSON.stringify(fields)} ${causeOf(fields?.error)}`)
  }
  return { debug() {}, info() {}, warn: report, error: report }
}

function causeOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : ''
}
