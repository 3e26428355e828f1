import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { availableMemory } from '../../engine/embedded/child/model/available-memory.ts'
import type { EngineSettings } from '../../engine/engine-settings.ts'
import { weightBytesAt } from '../../models/switching/room-for-model.ts'
import { fault, type Finding, note, ok } from './finding.ts'

/** Memory that the service needs besides the model, for both processes and a small KV cache. */
const memoryBesideModelBytes = 300 * 1000 * 1000
const nodePreferred = 24

/** Checks the system, Node and the processor. */
export function checkMachine(): Finding[] {
  const { platform, arch, versions } = process
  const cores = availableParallelism()
  return [
    // Never a fault: a platform without an embedded engine can still use an upstream engine.
    ok('machine', `${platform} ${arch}, ${cores} ${cores === 1 ? 'core' : 'cores'}`),
    versions.node.startsWith(`${nodePreferred}.`)
      ? ok('node', `Node ${versions.node}`)
      : note('node', `Node ${versions.node}; Pipit is tested most with Node ${nodePreferred}`),
    checkProcessor(readText('/proc/cpuinfo'), arch),
  ]
}

/**
 * Reports which kernels the processor's features allow.
 * @param cpuinfo Linux's description of the processor; empty on other systems
 */
export function checkProcessor(cpuinfo: string, arch = 'x64'): Finding {
  const flags = new Set((/^flags\s*:(.*)$/m.exec(cpuinfo)?.[1] ?? '').trim().split(/\s+/))
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  const has = (...names: string[]) => names.every((name) => flags.has(name))
  if (arch !== 'x64') return ok('processor', `${model}: kernels of llama.cpp`)
  if (cpuinfo === '') return note('processor', `${model}; its features cannot be read here`)
  if (has('avx512bw', 'avx512vl', 'avx512_vnni'))
    return ok('processor', `${model}: AVX-512 VNNI, the fastest kernels of Pipit`)
  if (!has('avx2', 'fma', 'f16c'))
    return note('processor', `${model}: without AVX2, slow kernels of llama.cpp`)
  const instructions = has('avx_vnni') ? 'AVX-VNNI' : 'AVX2'
  return ok('processor', `${model}: ${instructions}, kernels of Pipit`)
}

/**
 * Compares the memory with the needs of the model, with all its parts.
 * @param isServed true if a running service holds the model in its memory
 */
export async function checkMemory(
  settings: EngineSettings,
  { available = availableMemory(), isServed = false } = {},
): Promise<Finding> {
  const text = `${gigabytes(available)} of ${gigabytes(totalmem())} available`
  if (settings.kind !== 'embedded') return ok('memory', text)
  if (isServed) return ok('memory', `${text} beside the running service`)
  const needed = (await weightBytesAt(settings.modelPath)) + memoryBesideModelBytes
  if (available >= needed) return ok('memory', text)
  return fault(
    'memory',
    `${text}, but the model needs ${gigabytes(needed)}`,
    'Stop other programs, or set PIPIT_MODEL to a smaller model.',
  )
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
