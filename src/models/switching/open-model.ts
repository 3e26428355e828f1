import type { Config } from '../../config.ts'
import { createEngine } from '../../engine/create-engine.ts'
import type { EngineSettings } from '../../engine/engine-settings.ts'
import type { Engine } from '../../engine/engine.ts'
import { SwitchableEngine } from '../../engine/switchable-engine.ts'
import type { Logger } from '../../telemetry/logger.ts'
import { holdModel } from '../store.ts'
import { ModelSwitch } from './model-switch.ts'

export type Model = {
  readonly engine: Engine
  /** Returns the settings of the serving model. */
  readonly settings: () => EngineSettings
  /** Returns undefined if the model cannot be switched. */
  readonly modelSwitch: () => ModelSwitch | undefined
  /** Follows the choice of `models use` until the returned function is called. */
  readonly followChoice: () => Promise<() => void>
  /** Closes the engine. The model can then be removed. */
  readonly close: () => Promise<void>
}

/**
 * Loads the model of the settings. It cannot be removed while it serves.
 * @param ownEngine used instead of the configured engine
 * @param unchosen the settings before the choice of `models use` is applied; set if that command may change the model
 * @throws StartError
 */
export async function openModel(
  { engine: settings }: Config,
  logger: Logger,
  ownEngine: Engine | undefined,
  unchosen: Config | undefined,
): Promise<Model> {
  const release = holdModel(settings)
  try {
    const opened = ownEngine ?? (await createEngine(settings, logger))
    if (unchosen !== undefined)
      return switchableModel(opened, { settings, config: unchosen, logger, release })
    return {
      engine: opened,
      settings: () => settings,
      modelSwitch: () => undefined,
      followChoice: async () => () => {},
      close: () => opened.close().finally(release),
    }
  } catch (error) {
    release()
    throw error
  }
}

type Switchable = {
  readonly settings: EngineSettings
  readonly config: Config
  readonly logger: Logger
  readonly release: () => void
}

function switchableModel(opened: Engine, { settings, config, logger, release }: Switchable): Model {
  const engine = new SwitchableEngine(opened)
  const open = (wanted: EngineSettings) => createEngine(wanted, logger)
  let modelSwitch: ModelSwitch | undefined
  return {
    engine,
    settings: () => modelSwitch?.settings ?? settings,
    modelSwitch: () => modelSwitch,
    followChoice: async () => {
      modelSwitch = await ModelSwitch.start({ config, engine, settings, open, logger })
      // From here on the switch holds the model that serves.
      release()
      return () => modelSwitch?.close()
    },
    close: () =>
      engine.close().finally(() => {
        release()
        modelSwitch?.release()
      }),
  }
}
