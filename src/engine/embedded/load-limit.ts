import { statSync } from 'node:fs'
import { modelLoadBytesPerSecondMin } from '../../limits.ts'
import { partPaths } from './child/model/model-header.ts'

/** Longest delay that setTimeout supports. */
const timeoutMaxMs = 0x7fff_ffff

/** Returns the time limit for loading a model: `minMs`, plus time in proportion to the size of all its files. */
export function loadLimitMs(modelPath: string, minMs: number): number {
  const bytes = partPaths(modelPath).reduce((sum, path) => sum + sizeOf(path), 0)
  const limitMs = minMs + (bytes / modelLoadBytesPerSecondMin) * 1000
  return Math.min(Math.round(limitMs), timeoutMaxMs)
}

/** Returns 0 for a file that cannot be found or reached: the engine process reports it. */
function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
