import type { Logger } from '../telemetry/logger.ts'
import { EmbeddedEngine } from './embedded/embedded-engine.ts'
import type { EngineSettings } from './engine-settings.ts'
import type { Engine } from './engine.ts'
import { ScriptedEngine } from './scripted-engine.ts'
import { UpstreamEngine } from './upstream/upstream-engine.ts'

/** @throws StartError when the engine cannot be loaded */
export async function createEngine(settings: EngineSettings, logger: Logger): Promise<Engine> {
  switch (settings.kind) {
    case 'embedded':
      return await EmbeddedEngine.start(settings, { logger })
    case 'scripted':
      return new ScriptedEngine({ ...settings, prefillMs: 0 })
    case 'upstream':
      return await UpstreamEngine.start(settings, logger)
  }
}
