import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { sha256OfParts } from '../engine/embedded/child/model/model-sha256.ts'
import type { EngineSettings } from '../engine/engine-settings.ts'
import { StartError } from '../errors.ts'
import { commandLine } from '../paths.ts'
import { makeDataDir } from '../storage/sqlite/sqlite-file.ts'
import { missingFrom, modelPathOf, modelsFolder, readPulled, writeJson } from './store.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The model that `models use` has chosen; without a name, the bundled one. */
export type Choice = {
  readonly name: string | undefined
  /** Differs for each call of `models use`. */
  readonly id: string
  /** True if a running service should keep its present model. */
  readonly isForNextStart: boolean
}

const choiceName = 'used.json'
const neverChosen: Choice = { name: undefined, id: '', isForNextStart: false }

/** @throws StartError if the file is damaged or cannot be read */
export function readChoice(dataDir: string): Choice {
  const path = join(modelsFolder(dataDir), choiceName)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return neverChosen
    throw new StartError(`${path} cannot be read. Give the user that runs Pipit access to it.`, {
      cause: error,
    })
  }
  const choice = parseChoice(text)
  if (choice === undefined)
    throw new StartError(
      `${path} is damaged. Choose a model again with \`${commandLine} models use NAME\`.`,
    )
  return choice
}

/** Stores the choice of the model and returns the id of the choice. */
export async function writeChoice(
  dataDir: string,
  name: string | undefined,
  isForNextStart = false,
): Promise<string> {
  const folder = modelsFolder(dataDir)
  makeDataDir(folder)
  const id = randomBytes(8).toString('hex')
  await writeJson(folder, choiceName, { name: name ?? null, id, isForNextStart })
  return id
}

/** Returns true if `models use` selects the model. PIPIT_MODEL takes precedence over it. */
export function isChosenByUse({ engine }: Config, environment: Environment): boolean {
  return engine.kind === 'embedded' && !environment['PIPIT_MODEL']?.trim()
}

/**
 * Returns the settings with the chosen model.
 * @throws StartError when the chosen model is removed or damaged
 */
export function withUsedModel(config: Config, environment: Environment): Config {
  if (!isChosenByUse(config, environment)) return config
  const { name } = readChoice(config.dataDir)
  return { ...config, engine: settingsOf(config, name) }
}

/**
 * Returns the engine's settings with a pulled model, or with the bundled one.
 * @throws StartError when the model is removed or damaged
 */
export function settingsOf({ engine, dataDir }: Config, name: string | undefined): EngineSettings {
  if (name === undefined || engine.kind !== 'embedded') return engine
  const model = readPulled(dataDir, name)
  const problem = model === undefined ? 'it was removed' : missingFrom(dataDir, model)
  if (model === undefined || problem !== undefined)
    throw new StartError(
      `The model ${name}, which \`models use\` has chosen, cannot be used: ${problem}. ` +
        `Pull it again, or return to the bundled model with \`${commandLine} models use default\`.`,
    )
  const modelPath = modelPathOf(dataDir, model)
  return {
    ...engine,
    modelPath,
    modelSha256: sha256OfParts(model.files.map(({ sha256 }) => sha256)),
  }
}

function parseChoice(text: string): Choice | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    if (!('name' in value) || !('id' in value) || !('isForNextStart' in value)) return undefined
    const { name, id, isForNextStart } = value
    if ((typeof name !== 'string' && name !== null) || typeof id !== 'string') return undefined
    return { name: name ?? undefined, id, isForNextStart: isForNextStart === true }
  } catch {
    return undefined
  }
}
