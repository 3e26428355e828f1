import { ScriptedEngine, type ScriptedEngineOptions } from '../../src/engine/scripted-engine.ts'

/** Creates a scripted engine of four slots that replies without delay, unless the options differ. */
export function scriptedEngine(options: Partial<ScriptedEngineOptions> = {}): ScriptedEngine {
  return new ScriptedEngine({
    slots: 4,
    contextTokens: 4096,
    tokensPerSecond: 0,
    prefillMs: 0,
    ...options,
  })
}
