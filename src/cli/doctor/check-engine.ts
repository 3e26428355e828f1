import { sep } from 'node:path'
import type { Config } from '../../config.ts'
import { availableMemory } from '../../engine/embedded/child/model/available-memory.ts'
import { checkModelFile, ModelFileError } from '../../engine/embedded/child/model/model-file.ts'
import { sha256OfModel } from '../../engine/embedded/child/model/model-sha256.ts'
import type { EmbeddedSettings, EngineSettings } from '../../engine/engine-settings.ts'
import type { Engine } from '../../engine/engine.ts'
import { StartError } from '../../errors.ts'
import { modelsFolder } from '../../models/store.ts'
import { bytesAt } from '../../models/switching/room-for-model.ts'
import { bundledModelPath, commandLine } from '../../paths.ts'
import { isServed } from '../../storage/service-file.ts'
import { silentLogger } from '../../telemetry/logger.ts'
import { codeOf, fault, type Finding, note, ok } from './finding.ts'

const replyTokens = 16
const generationMs = 120_000
/** While a service runs, the model is loaded again only if the available memory is this many times the model's size. */
const spareTimes = 3

/** Checks the model file and generates a few tokens with it. */
export async function checkEngine({ engine, dataDir }: Config): Promise<Finding[]> {
  if (engine.kind === 'scripted')
    return [note('model', 'PIPIT_ENGINE=scripted: replies are made up, without a model')]
  if (engine.kind === 'upstream') return [await generate(engine)]
  const model = await checkModel(engine, dataDir)
  if (model.state === 'fault') return [model]
  if (isServed(dataDir) && availableMemory() < spareTimes * bytesAt(engine.modelPath))
    return [model, note('generation', 'not tried: the memory may not hold the model twice')]
  return [model, await generate({ ...engine, slots: 1 })]
}

function noUpstream(): Finding {
  return fault(
    'generation',
    'No upstream engine generates a token.',
    'Check PIPIT_UPSTREAM_URLS, PIPIT_UPSTREAM_MODEL and PIPIT_UPSTREAM_KEY.',
  )
}

async function checkModel(
  { modelPath, modelSha256 }: EmbeddedSettings,
  dataDir: string,
): Promise<Finding> {
  const remedy = remedyFor(modelPath, dataDir)
  try {
    await checkModelFile(modelPath)
    if (modelSha256 === undefined)
      return ok('model', `${modelPath} (PIPIT_MODEL_SHA256 is not set)`)
    if ((await sha256OfModel(modelPath)) === modelSha256)
      return ok('model', `${modelPath}, with the right checksum`)
    return fault('model', `${modelPath} is damaged: its SHA-256 is not ${modelSha256}.`, remedy)
  } catch (error) {
    const why =
      error instanceof ModelFileError ? error.message : `it cannot be read (${codeOf(error)})`
    return fault('model', `${modelPath} cannot be used: ${why}.`, remedy)
  }
}

function remedyFor(modelPath: string, dataDir: string): string {
  if (modelPath === bundledModelPath)
    return 'Restore it with `git checkout -- model/svc-o1-mini.gguf`, or install Pipit again.'
  if (modelPath.startsWith(modelsFolder(dataDir) + sep))
    return (
      `Serve another model with \`${commandLine} models use default\`, remove this one with ` +
      `\`${commandLine} models remove\`, and pull it again.`
    )
  return 'Download the file again, and check PIPIT_MODEL.'
}

async function generate(settings: EngineSettings): Promise<Finding> {
  const { createEngine } = await import('../../engine/create-engine.ts')
  const signal = AbortSignal.timeout(generationMs)
  let engine: Engine | undefined
  try {
    engine = await createEngine(settings, silentLogger)
    if (settings.kind === 'upstream' && engine.state !== 'ready') return noUpstream()
    const prompt = await engine.prepare([{ role: 'user', content: 'Hello!' }], signal)
    const startMs = performance.now()
    const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 0 }
    let tokens = 0
    const request = { prompt, maxTokens: replyTokens, sampling, stop: [], cacheScope: 'doctor' }
    for await (const event of engine.generate(request, signal))
      if (event.type === 'finish') tokens = event.completionTokens
    const ms = (performance.now() - startMs).toFixed(0)
    const { kernels = 'none', sandbox = 'no sandbox' } = engine.info
    if (tokens > 0)
      return ok('generation', `${tokens} tokens in ${ms} ms; kernels ${kernels}; ${sandbox}`)
    return fault(
      'generation',
      'The model generated nothing.',
      'Try another model with PIPIT_MODEL.',
    )
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return fault(
      'generation',
      text,
      error instanceof StartError
        ? 'Follow the sentence above, then run this command again.'
        : 'Run it again. If it fails again, report it with the output of `serve` and PIPIT_LOG_LEVEL=debug.',
    )
  } finally {
    await engine?.close()
  }
}
