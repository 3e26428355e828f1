import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadAddon, type NativeEngine } from '../../../src/engine/embedded/child/addon.ts'
import { findEngineBuild } from '../../../src/engine/embedded/engine-build.ts'

/** Loads a model into this process, gives the engine to `use`, and closes it. */
export async function withNativeEngine<Result>(
  folder: string,
  model: Buffer,
  use: (engine: NativeEngine) => Promise<Result>,
): Promise<Result> {
  const { addonPath, librariesPath } = findEngineBuild('off')
  const addon = loadAddon(addonPath)
  addon.loadBackends(librariesPath, undefined)
  const modelPath = join(folder, 'model.gguf')
  writeFileSync(modelPath, model)
  const engine = new addon.NativeEngine({ ...settings, modelPath }, () => {})
  try {
    await engine.load()
    return await use(engine)
  } finally {
    await engine.close()
    rmSync(modelPath)
  }
}

const settings = {
  slots: 1,
  contextTokens: 256,
  kvType: 'f16',
  threads: 1,
  prefillChunkTokens: 64,
  cachedTokensMax: 0,
  checkpointBytesMax: 0,
  speculativeTokensMax: 0,
  arithmetic: 'best',
} as const
