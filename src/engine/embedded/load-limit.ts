import { statSync } from 'node:fs'
import { modelLoadBytesPerSecondMin } from '../../limits.ts'

/** Longest delay that setTimeout keeps. */
const timeoutMaxMs = 0x7fff_ffff

/** Returns the time in which a model file must be loaded: `minMs`, and more with its size. */
export function loadLimitMs(modelPath: string, minMs: number): number {
  // The engine process reports a file that cannot be read.
  const bytes = statSync(modelPath, { throwIfNoEntry: false })?.size ?? 0
  const limitMs = minMs + (bytes / modelLoadBytesPerSecondMin) * 1000
  return Math.min(Math.round(limitMs), timeoutMaxMs)
}
