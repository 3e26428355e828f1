import { readFileSync } from 'node:fs'
import { beforeEach } from 'vitest'
import { threadCpuUsage } from '../../../src/engine/embedded/child/processor-time.ts'
import type { Arithmetic } from '../../../src/engine/engine-settings.ts'
import type { OwnArithmetic } from '../../native/test-addon.ts'

/** Processor flags as the system lists them, independent of the engine's own detection. */
const flags = new Set(
  readFileSync('/proc/cpuinfo', 'utf8')
    .match(/^flags\s*:.*$/m)?.[0]
    .split(' '),
)

const neededFlags: Readonly<Record<OwnArithmetic, readonly string[]>> = {
  'avx512-vnni': ['avx512bw', 'avx512vl', 'avx512_vnni'],
  'avx-vnni': ['avx2', 'fma', 'f16c', 'avx_vnni'],
  avx2: ['avx2', 'fma', 'f16c'],
}

/** Returns the processor time in ms of the event loop's longest turn while `work` runs. Other load does not count. */
export async function longestTurnMs(work: () => Promise<void>): Promise<number> {
  let longestUs = 0
  let isDone = false
  let before = threadCpuUsage()
  const turn = () => {
    const now = threadCpuUsage()
    longestUs = Math.max(longestUs, now.user + now.system - before.user - before.system)
    before = now
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return longestUs / 1000
}

/** Our own kernels, fastest first. */
export const ownArithmetics = Object.keys(neededFlags) as OwnArithmetic[]

/** Returns the fastest of our own kernels that this processor can run, or llama.cpp's if it can run none. */
export function fastestArithmetic(): Arithmetic {
  const runs = (arithmetic: OwnArithmetic) => missingFlags(arithmetic).length === 0
  return ownArithmetics.find(runs) ?? 'llama.cpp'
}

/** Skips the tests of a file or a `describe` if this processor lacks instructions that the kernels need. */
export function needArithmetic(arithmetic: OwnArithmetic): void {
  const missing = missingFlags(arithmetic)
  beforeEach(({ skip }) => skip(missing.length > 0, `this processor lacks ${missing.join(', ')}`))
}

function missingFlags(arithmetic: OwnArithmetic): string[] {
  return neededFlags[arithmetic].filter((flag) => !flags.has(flag))
}
