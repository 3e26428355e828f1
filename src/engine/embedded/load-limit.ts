import { statSync } from 'node:fs'
import { modelLoadBytesPerSecondMin } from '../../limits.ts'

/** Longest delay that setTimeout supports. */
const timeoutMaxMs = 0x7fff_ffff

/** Returns the time limit for loading a model file: `minMs`, plus time in proportion to its size. */
export function loadLimitMs(modelPath: string, minMs: number): number {
  // A missing file counts as empty here: the engine process reports it.
  const bytes = statSync(modelPath, { throwIfNoEntry: false })?.size ?? 0
  const limitMs = minMs + (bytes / modelLoadBytesPerSecondMin) * 1000
  return Math.min(Math.round(limitMs), timeoutMaxMs)
}
