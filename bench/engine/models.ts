import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  bundledShape,
  smallMixedModel,
  smallModel,
  tinyModel,
  writeEndlessModel,
  type EndlessModel,
} from './endless-model.ts'
import { progress } from '../report.ts'
import { bundledModelPath } from '../service.ts'

export type Model = {
  name: string
  path: string
  /** A large model gets fewer requests a round, so that a run stays within half an hour. */
  isLarge: boolean
}

const randomModels: Record<string, () => EndlessModel> = {
  tiny: () => tinyModel,
  mini: bundledShape,
  small: () => smallModel,
  'small-q4km': () => smallMixedModel,
  'tiny-varied': () => ({ ...tinyModel, varies: true }),
  'small-varied': () => ({ ...smallModel, varies: true }),
  'tiny-copier': () => ({ ...tinyModel, copies: true }),
  'small-copier': () => ({ ...smallModel, copies: true }),
}

/**
 * Finds a model by a name in `randomModels`, by `bundled` or by the path of a GGUF file. Writes a random model on first
 * use.
 */
export function findModel(wanted: string): Model {
  const path = pathOf(wanted)
  if (!existsSync(path)) {
    const names = [...Object.keys(randomModels), 'bundled'].join(', ')
    throw new Error(`--model ${wanted}: there is no such file. Give a path, or one of ${names}.`)
  }
  const name = path === resolve(wanted) ? basename(path) : wanted
  return { name, path, isLarge: statSync(path).size > largeBytesMin }
}

const largeBytesMin = 100e6

function pathOf(wanted: string): string {
  if (wanted === 'bundled') return bundledModelPath
  const shape = randomModels[wanted]?.()
  if (shape === undefined) return resolve(wanted)
  // The file name has a hash of the shape, so that a changed shape gets a new file.
  const mark = createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 8)
  const path = fileURLToPath(new URL(`../.cache/random-${wanted}-${mark}.gguf`, import.meta.url))
  if (!existsSync(path)) progress(`writing ${path}`)
  writeEndlessModel(path, shape)
  return path
}
