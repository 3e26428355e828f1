import { slotsDefault } from '../limits.ts'
import type { Logger } from '../telemetry/logger.ts'
import { EmbeddedEngine, type EmbeddedEngineSettings } from './embedded/embedded-engine.ts'
import type { Engine } from './engine.ts'
import type { EngineStats } from './engine-stats.ts'
import { ScriptedEngine } from './scripted-engine.ts'

export type EngineSettings = EmbeddedEngineSettings & {
  readonly engine: 'embedded' | 'scripted'
  /** Of the scripted engine; 0 is as fast as possible. */
  readonly scriptedTokensPerSecond: number
}

/** An engine that can say how it fares. */
export type RunningEngine = Engine & {
  stats(): EngineStats
  /** Of the engine process, where there is one. */
  readonly pid: number | undefined
}

const scriptedContextTokensDefault = 4096

/** @throws StartError when it cannot be loaded */
export async function createEngine(
  settings: EngineSettings,
  logger?: Logger,
): Promise<RunningEngine> {
  switch (settings.engine) {
    case 'embedded':
      return await EmbeddedEngine.start(settings, logger === undefined ? {} : { logger })
    case 'scripted':
      return new ScriptedEngine({
        slots: settings.slots ?? slotsDefault,
        contextTokens: settings.contextTokens ?? scriptedContextTokensDefault,
        tokensPerSecond: settings.scriptedTokensPerSecond,
        prefillMs: 0,
      })
  }
}
