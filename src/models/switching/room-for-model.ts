import { statSync } from 'node:fs'
import { availableMemory } from '../../engine/embedded/child/model/available-memory.ts'
import { partPaths } from '../../engine/embedded/child/model/model-header.ts'
import type { EmbeddedSettings, EngineSettings } from '../../engine/engine-settings.ts'
import type { EngineInfo } from '../../engine/engine.ts'
import { StartError } from '../../errors.ts'
import { memoryReserveBytes } from '../../limits.ts'
import { GgufError, readGgufHeader } from '../gguf-header.ts'
import { memoryNeeds, weightBytes } from '../memory-needs.ts'

/** Settings for loading the next model, either beside the serving model or in its place. */
type Room = { readonly mode: 'beside' | 'alone'; readonly settings: EngineSettings }

/**
 * Decides whether the next model fits beside the serving one. `availableBytes` in the settings is the memory of all
 * models together.
 * @throws StartError if the next model does not fit even without the serving one
 */
export async function findRoom(
  wanted: EngineSettings,
  serving: EngineSettings,
  { memory, device, contextTokens }: Pick<EngineInfo, 'memory' | 'device' | 'contextTokens'>,
  machineBytes: () => number = availableMemory,
): Promise<Room> {
  const beside: Room = { mode: 'beside', settings: wanted }
  // Only the engine process knows the memory of a GPU. An attempt to load the next model beside the serving one shows
  // whether it fits.
  const isOnCpu = device === undefined || device.startsWith('CPU')
  if (wanted.kind !== 'embedded' || serving.kind !== 'embedded' || !isOnCpu) return beside
  const servingBytes =
    (await weightBytesAt(serving.modelPath)) + (memory?.kvBytes ?? 0) + memoryReserveBytes
  const { availableBytes } = wanted
  const besideBytes =
    availableBytes === undefined ? machineBytes() : Math.max(0, availableBytes - servingBytes)
  const needs = await needsOf(wanted)
  const besideRoom: Room =
    availableBytes === undefined
      ? beside
      : { mode: 'beside', settings: { ...wanted, availableBytes: besideBytes } }
  // If the header cannot be read, the engine process reports what is wrong with the file.
  if (needs === undefined) return besideRoom
  const both = needs(besideBytes)
  const alone = needs(availableBytes ?? besideBytes + servingBytes)
  if (!alone.fits) throw new StartError(alone.reason)
  // The context is planned only once. Prompts that work today must not become too long for good.
  const contextMin = Math.min(contextTokens, alone.plan.contextTokens)
  return both.fits && both.plan.contextTokens >= contextMin
    ? besideRoom
    : { mode: 'alone', settings: wanted }
}

/** Returns about the size of a model's weights in memory. */
export async function weightBytesAt(modelPath: string): Promise<number> {
  const fileBytes = bytesAt(modelPath)
  try {
    return weightBytes(await readGgufHeader(modelPath), fileBytes)
  } catch {
    // The file may have been removed or replaced since the model was loaded.
    return fileBytes
  }
}

/** Returns undefined for a file whose header cannot be read. */
async function needsOf(settings: EmbeddedSettings) {
  try {
    const header = await readGgufHeader(settings.modelPath)
    const fileBytes = bytesAt(settings.modelPath)
    return (availableBytes: number) => memoryNeeds(header, fileBytes, settings, availableBytes)
  } catch (error) {
    if (error instanceof GgufError) return undefined
    throw error
  }
}

/** Returns the total size of a model's parts. Missing parts count as 0. */
export function bytesAt(modelPath: string): number {
  return partPaths(modelPath).reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
