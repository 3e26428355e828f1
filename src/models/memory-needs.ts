import { availableMemory } from '../engine/embedded/child/model/available-memory.ts'
import { type MemoryPlan, planMemory } from '../engine/embedded/child/model/memory-plan.ts'
import { ModelFileError } from '../engine/embedded/child/model/model-file.ts'
import { shapeOf } from '../engine/embedded/child/model/model-header.ts'
import { SettingsError } from '../engine/embedded/child/model/settings-error.ts'
import type { EngineSettings } from '../engine/engine-settings.ts'
import { memoryReserveBytes } from '../limits.ts'
import { GgufError, type GgufHeader } from './gguf-header.ts'

/** Memory that a model needs on this machine with the configured settings, or why it does not fit. */
type MemoryNeeds =
  | {
      readonly fits: true
      readonly plan: MemoryPlan
      readonly neededBytes: number
      readonly availableBytes: number
    }
  | { readonly fits: false; readonly reason: string }

/**
 * llama.cpp's types of three bits, with its numbers of file types and the factor by which a file grows at most in memory,
 * because the engine packs them in four bits (decision 0011).
 */
const threeBitTypes: readonly {
  readonly name: RegExp
  readonly fileTypes: readonly number[]
  readonly growth: number
}[] = [
  { name: /Q3_K/, fileTypes: [11, 12, 13], growth: 1.35 },
  { name: /IQ3_X/, fileTypes: [22, 23], growth: 1.41 },
  { name: /IQ3/, fileTypes: [26, 27], growth: 1.26 },
]

/** Returns the factor by which a file with this quantisation in its name grows in memory. */
export function growthOf(quantisation: string | undefined): number {
  return threeBitTypes.find(({ name }) => name.test(quantisation ?? ''))?.growth ?? 1
}

/** Returns about the size of a model's weights in memory. */
export function weightBytes({ fileType }: Pick<GgufHeader, 'fileType'>, fileBytes: number): number {
  const type = threeBitTypes.find(({ fileTypes }) => fileTypes.includes(fileType ?? -1))
  return Math.ceil(fileBytes * (type?.growth ?? 1))
}

/**
 * Returns the plan that the engine would make if it started now, by default with this machine's available memory.
 * @param fileBytes size of all parts of the model
 */
export function memoryNeeds(
  header: GgufHeader,
  fileBytes: number,
  engine: EngineSettings,
  availableBytes = availableMemory(),
): MemoryNeeds {
  const wanted =
    engine.kind === 'embedded'
      ? engine
      : {
          slots: undefined,
          contextTokens: undefined,
          cachedTokens: undefined,
          kvType: 'f16' as const,
        }
  const { architecture, numbers } = header
  const modelBytes = weightBytes(header, fileBytes)
  try {
    const shape = shapeOf(
      { numbers, ...(architecture === undefined ? {} : { architecture }) },
      wanted.kvType,
    )
    const plan = planMemory(wanted, { ...shape, modelBytes, availableBytes })
    const neededBytes = modelBytes + plan.kvBytes + memoryReserveBytes
    return { fits: true, plan, neededBytes, availableBytes }
  } catch (error) {
    if (error instanceof SettingsError) return { fits: false, reason: error.message }
    if (error instanceof ModelFileError || error instanceof GgufError)
      return { fits: false, reason: `The file cannot be used: ${error.message}.` }
    throw error
  }
}
