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

/** A model to serve, and when to begin. */
export type Wish = {
  /** Name of the pulled model; undefined for the bundled one. */
  readonly name: string | undefined
  /** True if a running service should keep its present model. */
  readonly isForNextStart: boolean
}

/** The model that `models use` has chosen. */
export type Choice = Wish & {
  /** Differs for each call of `models use`. */
  readonly id: string
  /** The choice that holds again if the running service cannot load this one. */
  readonly earlier: Wish | undefined
}

const choiceName = 'used.json'
const neverChosen: Choice = { name: undefined, id: '', isForNextStart: false, earlier: undefined }

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
  earlier?: Wish,
): Promise<string> {
  const folder = modelsFolder(dataDir)
  makeDataDir(folder)
  const id = randomBytes(8).toString('hex')
  const before = earlier && { ...earlier, name: earlier.name ?? null }
  await writeJson(folder, choiceName, { name: name ?? null, id, isForNextStart, earlier: before })
  return id
}

/**
 * Replaces a choice that could not be served with the one before it, unless another was made meanwhile.
 * @returns the id of the restored choice; undefined if the choice stays as it is
 */
export async function restoreEarlier(dataDir: string, id: string): Promise<string | undefined> {
  const { earlier, ...choice } = readChoice(dataDir)
  if (choice.id !== id || earlier === undefined) return undefined
  return await writeChoice(dataDir, earlier.name, earlier.isForNextStart)
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
    const wish = parseWish(value)
    if (wish === undefined || !hasId(value)) return undefined
    const earlier = 'earlier' in value ? parseWish(value.earlier) : undefined
    return { ...wish, id: value.id, earlier }
  } catch {
    return undefined
  }
}

function hasId(value: unknown): value is { id: string } {
  return (
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
  )
}

function parseWish(value: unknown): Wish | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (!('name' in value) || !('isForNextStart' in value)) return undefined
  const { name, isForNextStart } = value
  if (typeof name !== 'string' && name !== null) return undefined
  return { name: name ?? undefined, isForNextStart: isForNextStart === true }
}
