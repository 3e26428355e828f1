import { statSync } from 'node:fs'
import { availableMemory } from '../../engine/embedded/child/model/available-memory.ts'
import { partPaths } from '../../engine/embedded/child/model/model-header.ts'
import type { EmbeddedSettings, EngineSettings } from '../../engine/engine-settings.ts'
import type { EngineInfo } from '../../engine/engine.ts'
import { StartError } from '../../errors.ts'
import { memoryReserveBytes } from '../../limits.ts'
import { GgufError, readGgufHeader } from '../gguf-header.ts'
import { memoryNeeds } from '../memory-needs.ts'

/** Settings with which to load the next model: beside the one that serves, or in its place. */
type Room = { readonly mode: 'beside' | 'alone'; readonly settings: EngineSettings }

/**
 * Decides where the next model fits. A figure in `settings.availableBytes` is the memory of all models together.
 * @throws StartError for a model that does not fit even without the one that serves
 */
export async function findRoom(
  wanted: EngineSettings,
  serving: EngineSettings,
  { memory, device }: Pick<EngineInfo, 'memory' | 'device'>,
  machineBytes: () => number = availableMemory,
): Promise<Room> {
  const beside: Room = { mode: 'beside', settings: wanted }
  // A GPU plans with its own memory, which only the engine process knows: loading beside shows whether it suffices.
  const isOnCpu = device === undefined || device.startsWith('CPU')
  if (wanted.kind !== 'embedded' || serving.kind !== 'embedded' || !isOnCpu) return beside
  const servingBytes = bytesAt(serving.modelPath) + (memory?.kvBytes ?? 0) + memoryReserveBytes
  const { availableBytes } = wanted
  const besideBytes =
    availableBytes === undefined ? machineBytes() : Math.max(0, availableBytes - servingBytes)
  const needs = await needsOf(wanted)
  // The engine process names the fault of a file that is damaged.
  if (needs === undefined || needs(besideBytes).fits)
    return availableBytes === undefined
      ? beside
      : { mode: 'beside', settings: { ...wanted, availableBytes: besideBytes } }
  const alone = needs(availableBytes ?? besideBytes + servingBytes)
  if (!alone.fits) throw new StartError(alone.reason)
  return { mode: 'alone', settings: wanted }
}

/** Returns undefined for a file whose header cannot be read. */
async function needsOf(settings: EmbeddedSettings) {
  try {
    const header = await readGgufHeader(settings.modelPath)
    const modelBytes = bytesAt(settings.modelPath)
    return (availableBytes: number) => memoryNeeds(header, modelBytes, settings, availableBytes)
  } catch (error) {
    if (error instanceof GgufError) return undefined
    throw error
  }
}

/** Returns the size of all parts of a model; those that are missing count nothing. */
export function bytesAt(modelPath: string): number {
  return partPaths(modelPath).reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}
