import type { EngineSettings } from '../../engine/engine-settings.ts'
import { ServiceError, StartError } from '../../errors.ts'
import { bundledModelPath } from '../../paths.ts'
import { type Actor, recordAudit } from '../../storage/audit/audit-log.ts'
import type { Database } from '../../storage/database.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { nearestNames } from '../catalogue.ts'
import type { Hub } from '../hub/repository.ts'
import { discardPartialPull, listPartialPulls } from '../partial-pulls.ts'
import {
  bundledName,
  isModelName,
  listPulled,
  missingFrom,
  modelPathOf,
  type PulledModel,
  removePulled,
} from '../store.ts'
import { withoutQuery } from '../reference.ts'
import type { ModelSwitch, SwitchProgress } from '../switching/model-switch.ts'
import { bytesAt } from '../switching/room-for-model.ts'
import { readChoice } from '../used-model.ts'
import { type Pull, PullQueue, type PullRequest } from './pull-queue.ts'

type AdministrationOptions = {
  readonly dataDir: string
  /** Holds the audit log. */
  readonly database: Database
  readonly openHub: () => Hub
  readonly logger: Logger
  /** Settings of the serving engine. */
  readonly settings: () => EngineSettings
  /** Returns undefined if a setting selects the model. */
  readonly modelSwitch: () => ModelSwitch | undefined
}

/** A pulled model, which can be chosen instead of the bundled one. */
export type StoredModel = PulledModel & {
  readonly isServing: boolean
  /** Clause that says what is wrong with the model's files; undefined if nothing is. */
  readonly damage: string | undefined
}

/** A pull that is waiting or running, has failed, or was interrupted. */
export type PullState = {
  /** Id of the pull, or the name of the model for an interrupted pull. */
  readonly id: string
  readonly model: string
  readonly name: string | undefined
  readonly state: Pull['state'] | 'stopped'
  readonly bytes: number
  readonly totalBytes: number | undefined
  readonly bytesPerSecond: number | undefined
  readonly message: string | undefined
}

export type ModelsOverview = {
  /** False if a setting selects the model. */
  readonly canSwitch: boolean
  readonly switching: SwitchProgress | undefined
  /** The latest switch, if it failed. */
  readonly failure: { readonly name: string; readonly message: string } | undefined
  readonly bundled: { readonly isServing: boolean; readonly bytes: number }
  readonly models: readonly StoredModel[]
  readonly pulls: readonly PullState[]
}

/** Pulls, uses and removes models for the panel's admins. */
export class ModelAdministration {
  readonly #options: AdministrationOptions
  readonly #queue: PullQueue

  constructor(options: AdministrationOptions) {
    this.#options = options
    this.#queue = new PullQueue(options)
  }

  overview(): ModelsOverview {
    const { dataDir, modelSwitch } = this.#options
    const models = listPulled(dataDir).map((model) => ({
      ...model,
      isServing: this.#isServing(model),
      damage: missingFrom(dataDir, model),
    }))
    const { progress, failure } = modelSwitch() ?? {}
    return {
      canSwitch: modelSwitch() !== undefined,
      switching: progress,
      failure: failure && { name: failure.name ?? bundledName, message: failure.message },
      bundled: { isServing: this.#isBundledServing(), bytes: bytesAt(bundledModelPath) },
      models,
      pulls: this.#pulls(),
    }
  }

  /** @throws ServiceError invalid_value (unknown name), model_busy */
  async pull(request: PullRequest, by: Actor): Promise<void> {
    this.#queue.add(request)
    await this.#record('model.pull', withoutQuery(request.model), by)
  }

  /**
   * Stops a pull and keeps what was downloaded.
   * @throws ServiceError not_found
   */
  async cancel(id: string): Promise<void> {
    const pull = this.#queue.find(id)
    if (pull === undefined) throw unknownPull()
    await this.#queue.stop(pull)
  }

  /**
   * Resumes a pull that has failed or was interrupted.
   * @throws ServiceError not_found, model_busy, invalid_value
   */
  async resume(id: string, by: Actor): Promise<void> {
    const pull = this.#queue.find(id)
    // An interrupted download leaves a `pull.json` on disk, which names the version to resume.
    const partial = this.#partials().find(({ name }) => name === (pull?.name ?? id))
    if (pull !== undefined && partial === undefined) return await this.pull(pull.request, by)
    if (partial === undefined) throw unknownPull()
    const { model, name, sha256 } = partial
    await this.pull({ model, name, sha256 }, by)
  }

  /**
   * Discards a pull that has failed or was interrupted, and deletes its files.
   * @throws ServiceError not_found, model_busy
   */
  async discard(id: string): Promise<void> {
    const pull = this.#queue.find(id)
    const name = pull?.name ?? id
    const isPartial = this.#partials().some((partial) => partial.name === name)
    if (pull === undefined && !isPartial) throw unknownPull()
    if (pull !== undefined) await this.#queue.stop(pull)
    if (isPartial) await orBusy(discardPartialPull(this.#options.dataDir, name))
  }

  /**
   * Begins to switch to a pulled model or the bundled one. A later failure appears in the overview.
   * @throws ServiceError not_found, model_busy, invalid_value (damaged files)
   */
  use(name: string, by: Actor): void {
    const modelSwitch = this.#options.modelSwitch()
    if (modelSwitch === undefined)
      throw new ServiceError(
        'model_busy',
        'A setting, PIPIT_MODEL or PIPIT_ENGINE, names the model of this service. Remove it and restart the service to choose here.',
      )
    if (modelSwitch.progress !== undefined)
      throw new ServiceError(
        'model_busy',
        'Another model is being loaded. Wait until it is loaded, then choose again.',
      )
    const pulled = name === bundledName ? undefined : this.#find(name)
    const damage = pulled && missingFrom(this.#options.dataDir, pulled)
    if (damage !== undefined)
      throw new ServiceError('invalid_value', `${name} is damaged: ${damage}. Pull it again.`)
    void this.#switch(modelSwitch, pulled?.name, by)
  }

  async #switch(modelSwitch: ModelSwitch, name: string | undefined, by: Actor): Promise<void> {
    try {
      await modelSwitch.use(name)
    } catch (error) {
      if (error instanceof StartError || error instanceof ServiceError) return
      return this.#options.logger.error('the model cannot be switched', { error })
    }
    await this.#record('model.use', name ?? bundledName, by)
  }

  /**
   * Deletes a pulled model.
   * @throws ServiceError not_found, model_busy (it serves, will serve, or is being pulled)
   */
  async remove(name: string, by: Actor): Promise<void> {
    const { dataDir, modelSwitch } = this.#options
    const model = this.#find(name)
    const progress = modelSwitch()?.progress
    if (this.#isServing(model) || progress?.name === name || chosenName(dataDir) === name)
      throw new ServiceError(
        'model_busy',
        `${name} serves now, or is chosen for the next start. Use another model first.`,
      )
    // During a switch the earlier model may have to be loaded again.
    if (progress !== undefined)
      throw new ServiceError('model_busy', 'A model is being loaded. Try again when it is loaded.')
    await orBusy(removePulled(dataDir, name))
    await this.#record('model.remove', name, by)
  }

  async close(): Promise<void> {
    await this.#queue.close()
  }

  /** Records a change in the audit log. The change has been made, so it does not fail if the log cannot be written. */
  async #record(
    action: 'model.pull' | 'model.use' | 'model.remove',
    name: string,
    by: Actor,
  ): Promise<void> {
    const { database, logger } = this.#options
    const entry = { by, action, accountId: null, target: { id: name, name } }
    try {
      await database.write(recordAudit(entry, Date.now()))
    } catch (error) {
      logger.error(`the audit log lacks ${action} of ${name}`, { error })
    }
  }

  #find(name: string): PulledModel {
    const models = listPulled(this.#options.dataDir)
    const found = isModelName(name) ? models.find((model) => model.name === name) : undefined
    if (found !== undefined) return found
    const near = nearestNames(
      name,
      models.map((model) => model.name),
    )
    const hint = near.length === 0 ? 'Pull it first.' : `Did you mean ${near.join(', ')}?`
    throw new ServiceError('not_found', `The model ${JSON.stringify(name)} is not pulled. ${hint}`)
  }

  #pulls(): PullState[] {
    const ofQueue = this.#queue.pulls.map((pull) => ({
      id: pull.id,
      model: pull.request.model,
      name: pull.name,
      state: pull.state,
      bytes: pull.bytes,
      totalBytes: pull.totalBytes,
      bytesPerSecond: pull.state === 'running' ? pull.speed.bytesPerSecond : undefined,
      message: pull.message,
    }))
    const cutOff = this.#partials().filter(
      (partial) =>
        !ofQueue.some(({ name, model }) => name === partial.name || model === partial.model),
    )
    return [
      ...ofQueue,
      ...cutOff.map(({ name, model, bytes, doneBytes }) => ({
        id: name,
        model: withoutQuery(model),
        name,
        state: 'stopped' as const,
        bytes: doneBytes,
        totalBytes: bytes,
        bytesPerSecond: undefined,
        message: undefined,
      })),
    ]
  }

  #partials() {
    return listPartialPulls(this.#options.dataDir)
  }

  #isServing(model: PulledModel): boolean {
    const settings = this.#options.settings()
    return (
      settings.kind === 'embedded' &&
      settings.modelPath === modelPathOf(this.#options.dataDir, model)
    )
  }

  #isBundledServing(): boolean {
    const settings = this.#options.settings()
    return settings.kind === 'embedded' && settings.modelPath === bundledModelPath
  }
}

function unknownPull(): ServiceError {
  return new ServiceError('not_found', 'This pull has ended. Reload the page.')
}

/** Returns the name of the chosen model; undefined for the bundled model and for a damaged choice. */
function chosenName(dataDir: string): string | undefined {
  try {
    return readChoice(dataDir).name
  } catch (error) {
    if (error instanceof StartError) return undefined
    throw error
  }
}

/** Turns a StartError, such as that of a held lock, into a ServiceError for the caller. */
async function orBusy(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    throw new ServiceError('model_busy', error.message, { cause: error })
  }
}
