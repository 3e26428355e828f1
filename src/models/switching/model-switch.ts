import { rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import type { EngineSettings } from '../../engine/engine-settings.ts'
import type { Engine } from '../../engine/engine.ts'
import type { SwitchableEngine } from '../../engine/switchable-engine.ts'
import { ServiceError, StartError } from '../../errors.ts'
import { generationTimeoutMs } from '../../limits.ts'
import { makeDataDir } from '../../storage/sqlite/sqlite-file.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { choicePollMs, reloadPauseMaxMs, reloadPauseMs } from '../models-limits.ts'
import { holdModel, modelsFolder, writeJson } from '../store.ts'
import { readChoice, restoreEarlier, settingsOf, writeChoice } from '../used-model.ts'
import { findRoom } from './room-for-model.ts'
import { statusName, type SwitchStatus } from './switch-status.ts'

type SwitchOptions = {
  /** Configuration before the chosen model is applied. */
  readonly config: Config
  readonly engine: SwitchableEngine
  /** Settings of the running engine. */
  readonly settings: EngineSettings
  readonly open: (settings: EngineSettings) => Promise<Engine>
  readonly logger: Logger
  /** Returns the memory available on this machine. By default the system's figure. */
  readonly machineBytes?: () => number
}

/** A switch in progress. `draining`: the earlier model finishes its replies while new requests wait. */
export type SwitchProgress = {
  /** Name of the pulled model; undefined for the bundled one. */
  readonly name: string | undefined
  readonly step: 'loading' | 'draining' | 'restoring'
}

/** A switch after which the earlier model serves on. */
export type SwitchFailure = {
  /** Name of the pulled model; undefined for the bundled one. */
  readonly name: string | undefined
  /** Reason in one sentence. */
  readonly message: string
}

/** Returns true if the running engine serves the chosen model, or may go on with another one until the next start. */
function isServed(
  { name, isForNextStart }: ReturnType<typeof readChoice>,
  { config, settings }: SwitchOptions,
): boolean {
  if (isForNextStart) return true
  try {
    return isSameModel(settingsOf(config, name), settings)
  } catch (error) {
    if (error instanceof StartError) return false
    throw error
  }
}

/**
 * Switches to another model, chosen either by `models use`, which is polled every second, or by a call of `use`. Loads
 * it beside the serving model if the memory allows, or else after unloading that one. If the new model cannot be
 * loaded, the earlier one keeps serving.
 */
export class ModelSwitch {
  readonly #options: SwitchOptions
  readonly #folder: string
  readonly #closing = new AbortController()
  #settings: EngineSettings
  #release: () => void
  #choiceId: string
  #timer: NodeJS.Timeout
  #progress: SwitchProgress | undefined
  #failure: SwitchFailure | undefined
  #isUnreadable = false

  static async start(options: SwitchOptions): Promise<ModelSwitch> {
    const { dataDir } = options.config
    makeDataDir(modelsFolder(dataDir))
    const choice = readChoice(dataDir)
    // `models use` may have chosen another model while this one was loading. It is then followed like any later choice.
    const watch = new ModelSwitch(options, isServed(choice, options) ? choice.id : '')
    await watch.#write({ choiceId: watch.#choiceId, state: 'ready' })
      // A full disk must not prevent the start. The ledger decides whether requests can then be admitted.
      .catch((error: unknown) => options.logger.warn('the model cannot be switched', { error }))
    return watch
  }

  private constructor(options: SwitchOptions, choiceId: string) {
    this.#options = options
    this.#folder = modelsFolder(options.config.dataDir)
    this.#settings = options.settings
    this.#release = holdModel(options.settings)
    this.#choiceId = choiceId
    this.#timer = setInterval(() => this.#look(), choicePollMs)
  }

  /** Settings of the engine that serves new requests. */
  get settings(): EngineSettings {
    return this.#settings
  }

  /** The switch in progress, if any. */
  get progress(): SwitchProgress | undefined {
    return this.#progress
  }

  /** The latest switch to another model, if it failed, whether the panel or `models use` asked for it. */
  get failure(): SwitchFailure | undefined {
    return this.#failure
  }

  /**
   * Serves the model, and remembers it for the next start once it serves.
   * @param name a pulled model; undefined for the bundled one
   * @throws ServiceError model_busy during another switch, StartError if the model cannot be loaded
   */
  async use(name: string | undefined): Promise<void> {
    if (this.#progress !== undefined)
      throw new ServiceError(
        'model_busy',
        'Another model is being loaded. Wait until it is loaded, then choose again.',
      )
    const { dataDir } = this.#options.config
    this.#progress = { name, step: 'loading' }
    try {
      await this.#load(name)
      // A choice made meanwhile by `models use` takes precedence over this one.
      if (readChoice(dataDir).id !== this.#choiceId) return
      this.#choiceId = await writeChoice(dataDir, name)
      await this.#write({ choiceId: this.#choiceId, state: 'ready' })
    } catch (error) {
      this.#fail(name, error)
      throw error
    } finally {
      this.#progress = undefined
    }
  }

  /** Stops watching for choices. A model that is still loading is closed once it has loaded. */
  close(): void {
    this.#closing.abort()
    clearInterval(this.#timer)
    this.#options.engine.refuseWaiting()
    rmSync(join(this.#folder, statusName), { force: true })
  }

  /** Lets the serving model be removed, after its engine is closed. */
  release(): void {
    this.#release()
  }

  #fail(name: string | undefined, error: unknown): void {
    const isKnown = error instanceof StartError || error instanceof ServiceError
    const message = isKnown
      ? error.message
      : 'The model cannot be loaded, for a reason that is in the log of the service.'
    this.#failure = { name, message }
  }

  #look(): void {
    this.#touch()
    const choice = this.#readChoice()
    const isBusy = this.#progress !== undefined
    if (choice === undefined || isBusy || choice.id === this.#choiceId) return
    this.#choiceId = choice.id
    if (choice.isForNextStart) return
    this.#progress = { name: choice.name, step: 'loading' }
    void this.#follow(choice.id, choice.name)
      .catch((error: unknown) =>
        this.#options.logger.error('the model cannot be switched', { error }),
      )
      .finally(() => (this.#progress = undefined))
  }

  /** Updates the time of the status file, which shows `models use` that the service is running. */
  #touch(): void {
    const now = new Date()
    try {
      utimesSync(join(this.#folder, statusName), now, now)
    } catch {
      // Without the file, `models use` leaves the choice to the next start, which is correct too.
    }
  }

  /** Returns undefined for a damaged choice, and logs it once. */
  #readChoice(): ReturnType<typeof readChoice> | undefined {
    try {
      const choice = readChoice(this.#options.config.dataDir)
      this.#isUnreadable = false
      return choice
    } catch (error) {
      if (!this.#isUnreadable)
        this.#options.logger.warn('the choice of `pipit models use` cannot be read', { error })
      this.#isUnreadable = true
      return undefined
    }
  }

  /**
   * Loads the model chosen by `models use`, and writes the result to the status file. Takes back a choice that cannot be
   * loaded: the command may have been interrupted, and the next start would fail with it.
   */
  async #follow(choiceId: string, name: string | undefined): Promise<void> {
    try {
      await this.#write({ choiceId, state: 'loading' })
      await this.#load(name)
      await this.#write({ choiceId, state: 'ready' })
    } catch (error) {
      this.#fail(name, error)
      const message = error instanceof Error ? error.message : String(error)
      await this.#takeBack(choiceId)
      await this.#write({ choiceId, state: 'failed', message })
      if (!(error instanceof StartError)) throw error
    }
  }

  async #takeBack(choiceId: string): Promise<void> {
    try {
      const restored = await restoreEarlier(this.#options.config.dataDir, choiceId)
      // The restored choice is not followed: the status must go on to answer the failed one, for its command.
      this.#choiceId = restored ?? this.#choiceId
    } catch (error) {
      this.#options.logger.warn('the earlier choice of a model cannot be restored', { error })
    }
  }

  /** @throws StartError; the earlier model then keeps serving */
  async #load(name: string | undefined): Promise<void> {
    const { engine, logger, config, machineBytes } = this.#options
    let unused = () => {}
    try {
      const settings = settingsOf(config, name)
      // The earlier choice, which a failed `models use` restores, is no new switch: the failure stays.
      if (isSameModel(settings, this.#settings)) return
      this.#failure = undefined
      unused = holdModel(settings)
      const { slots } = engine.info
      const wanted = { ...settings, slots }
      const room = await findRoom(wanted, this.#settings, engine.info, machineBytes)
      if (room.mode === 'alone') await this.#replaceAfterDraining(room.settings, name)
      else await engine.replace(await this.#options.open(room.settings))
      this.#settings = settings
      // If the service is closing, nothing else releases the new model.
      if (!this.#closing.signal.aborted) [unused, this.#release] = [this.#release, unused]
      const { fingerprint, contextTokens } = engine.info
      const facts = `${contextTokens} tokens, ${fingerprint}`
      logger.info(`another model serves now: ${name ?? 'the bundled one'} (${facts})`)
    } catch (error) {
      if (error instanceof StartError)
        logger.warn('the chosen model cannot be loaded: the earlier one serves on', { error })
      throw error
    } finally {
      unused()
    }
  }

  /** Lets running replies end, unloads their model and loads the wanted one. New requests wait meanwhile. */
  async #replaceAfterDraining(wanted: EngineSettings, name: string | undefined): Promise<void> {
    const { engine, open, logger } = this.#options
    const { slots } = engine.info
    const earlier = { ...this.#settings, slots }
    logger.info('the memory does not suffice for two models: the earlier one is unloaded first')
    this.#progress = { name, step: 'draining' }
    if (!(await engine.retire(generationTimeoutMs)))
      throw new StartError(
        'The running replies did not end in time, so the model was not changed. Try again with less traffic.',
      )
    this.#progress = { name, step: 'loading' }
    try {
      await engine.replace(await open(wanted))
    } catch (error) {
      this.#progress = { name, step: 'restoring' }
      await this.#restore(earlier)
      throw error
    }
  }

  /** Loads the earlier model again, and retries until it serves or the service stops. */
  async #restore(earlier: EngineSettings): Promise<void> {
    const { engine, open, logger } = this.#options
    const { signal } = this.#closing
    for (let pauseMs = reloadPauseMs; !signal.aborted; pauseMs *= 2) {
      try {
        return await engine.replace(await open(earlier))
      } catch (error) {
        logger.error('the earlier model cannot be loaded again: it is tried once more', { error })
      }
      await delay(Math.min(pauseMs, reloadPauseMaxMs), undefined, { signal }).catch(() => {})
    }
  }

  async #write(status: SwitchStatus): Promise<void> {
    if (this.#closing.signal.aborted) return
    await writeJson(this.#folder, statusName, status)
  }
}

function isSameModel(a: EngineSettings, b: EngineSettings): boolean {
  return (
    a.kind === 'embedded' &&
    b.kind === 'embedded' &&
    a.modelPath === b.modelPath &&
    a.modelSha256 === b.modelSha256
  )
}
