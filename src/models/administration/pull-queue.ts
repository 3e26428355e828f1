import { randomBytes } from 'node:crypto'
import { availableMemory } from '../../engine/embedded/child/model/available-memory.ts'
import { ServiceError, StartError } from '../../errors.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { TransferSpeed } from '../hub/transfer-speed.ts'
import type { Hub } from '../hub/repository.ts'
import { failedPullsMax, waitingPullsMax } from '../models-limits.ts'
import { pullModel } from '../pull.ts'
import { parseReference } from '../reference.ts'

export type PullRequest = {
  /** A catalogue name or hf:owner/name, optionally with a quantisation or a file. */
  readonly model: string
  /** Name of the model's folder; set only to resume a pull. */
  readonly name?: string | undefined
  readonly sha256?: string | undefined
}

/** A pull that is waiting, is running or has failed. */
export type Pull = {
  readonly id: string
  readonly request: PullRequest
  state: 'waiting' | 'running' | 'failed'
  /** Name of the model, once it is known. */
  name: string | undefined
  bytes: number
  totalBytes: number | undefined
  readonly speed: TransferSpeed
  /** Reason, in one sentence, why the pull has failed or is pausing. */
  message: string | undefined
  readonly stopping: AbortController
}

type QueueOptions = {
  readonly dataDir: string
  readonly openHub: () => Hub
  readonly logger: Logger
}

/** Downloads one model at a time. Completed and cancelled pulls leave the list. */
export class PullQueue {
  readonly #options: QueueOptions
  /** In order of arrival. */
  #pulls: Pull[] = []
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(options: QueueOptions) {
    this.#options = options
  }

  get pulls(): readonly Pull[] {
    return this.#pulls
  }

  /** @throws ServiceError invalid_value, model_busy */
  add(request: PullRequest): Pull {
    requireHubReference(request.model)
    const open = this.#pulls.filter(({ state }) => state !== 'failed')
    if (open.some((pull) => isSame(pull, request)))
      throw new ServiceError(
        'model_busy',
        `${request.model} is being pulled already. Wait until it has ended, or cancel it.`,
      )
    if (open.length > waitingPullsMax)
      throw new ServiceError(
        'model_busy',
        `${waitingPullsMax} pulls are waiting already. Try again when one of them has ended.`,
      )
    const pull: Pull = {
      id: `pull_${randomBytes(8).toString('hex')}`,
      request,
      state: 'waiting',
      name: request.name,
      bytes: 0,
      totalBytes: undefined,
      speed: new TransferSpeed(),
      message: undefined,
      stopping: new AbortController(),
    }
    this.#pulls = [...this.#pulls.filter((other) => !isSame(other, request)), pull]
    this.#begin()
    return pull
  }

  find(id: string): Pull | undefined {
    return this.#pulls.find((pull) => pull.id === id)
  }

  /** Stops a pull and keeps what was downloaded. A failed pull only leaves the list. */
  async stop(pull: Pull): Promise<void> {
    this.#remove(pull)
    pull.stopping.abort()
    // The pull holds the model's lock until it has ended.
    if (pull.state === 'running') await this.#running
  }

  /** Stops all pulls. Interrupted pulls can be resumed after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const pull of this.#pulls) pull.stopping.abort()
    await this.#running
  }

  #begin(): void {
    if (this.#running !== undefined || this.#isClosed) return
    const next = this.#pulls.find(({ state }) => state === 'waiting')
    if (next === undefined) return
    next.state = 'running'
    this.#running = this.#run(next).finally(() => {
      this.#running = undefined
      this.#begin()
    })
  }

  async #run(pull: Pull): Promise<void> {
    try {
      await this.#download(pull)
      this.#remove(pull)
    } catch (error) {
      if (pull.stopping.signal.aborted) return
      pull.state = 'failed'
      pull.message =
        error instanceof StartError
          ? error.message
          : 'The pull failed for a reason that is in the log of the service. Try again.'
      if (!(error instanceof StartError)) this.#options.logger.error('a pull has failed', { error })
      const failed = this.#pulls.filter(({ state }) => state === 'failed')
      for (const old of failed.slice(0, -failedPullsMax)) this.#remove(old)
    }
  }

  async #download(pull: Pull): Promise<void> {
    const { model, name, sha256 } = pull.request
    const hub = this.#options.openHub()
    try {
      await pullModel(hub, parseReference(model), {
        dataDir: this.#options.dataDir,
        availableBytes: availableMemory(),
        name,
        sha256,
        signal: pull.stopping.signal,
        listener: {
          onPlan: (plan) => {
            pull.name = plan.name
            pull.totalBytes = plan.bytes
          },
          onBytes: (bytes) => {
            pull.bytes = bytes
            pull.speed.add(bytes)
            pull.message = undefined
          },
          onPause: (cause, pauseMs) => {
            pull.message = `${cause}. Trying again in ${Math.ceil(pauseMs / 1000)} s.`
          },
        },
      })
    } finally {
      hub.http.close()
    }
  }

  #remove(pull: Pull): void {
    this.#pulls = this.#pulls.filter((other) => other !== pull)
  }
}

/**
 * Accepts only references to the hub. URLs are refused, because only the operator may make this machine open arbitrary
 * addresses, and an admin of the panel need not be the operator.
 * @throws ServiceError invalid_value
 */
function requireHubReference(model: string): void {
  try {
    if (parseReference(model).kind === 'hub') return
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    throw new ServiceError('invalid_value', error.message, { param: 'model', cause: error })
  }
  throw new ServiceError(
    'invalid_value',
    'The panel pulls from the hub only. Pull a URL on the machine itself, with `pipit models pull URL`.',
    { param: 'model' },
  )
}

function isSame(pull: Pull, { model, name }: PullRequest): boolean {
  return pull.request.model === model || (name !== undefined && pull.name === name)
}
