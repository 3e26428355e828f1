import { availableMemory } from '../engine/embedded/child/model/available-memory.ts'
import { type MemoryPlan, planMemory } from '../engine/embedded/child/model/memory-plan.ts'
import { ModelFileError } from '../engine/embedded/child/model/model-file.ts'
import { shapeOf } from '../engine/embedded/child/model/model-header.ts'
import { SettingsError } from '../engine/embedded/child/model/settings-error.ts'
import type { EngineSettings } from '../engine/engine-settings.ts'
import { memoryReserveBytes } from '../limits.ts'
import { GgufError, type GgufHeader } from './gguf-header.ts'
import { growthOfFileType } from './quantisation.ts'

/** Memory that a model needs on this machine with the configured settings, or why it does not fit. */
type MemoryNeeds =
  | {
      readonly fits: true
      readonly plan: MemoryPlan
      readonly neededBytes: number
      readonly availableBytes: number
    }
  | { readonly fits: false; readonly reason: string }

/** Returns about the size of a model's weights in memory. */
export function weightBytes({ fileType }: Pick<GgufHeader, 'fileType'>, fileBytes: number): number {
  return Math.ceil(fileBytes * growthOfFileType(fileType))
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
