import { basename, join } from 'node:path'
import { bundledModelPath, packageRoot } from '../paths.ts'
import type { EngineSettings } from './engine-settings.ts'
import type { EngineInfo } from './engine.ts'
import { formatBytes } from './format-bytes.ts'

/** Describes the model and its resources in one line, for the operator. */
export function describeEngine(settings: EngineSettings, info: EngineInfo): string {
  const { slots, contextTokens, memory, device, fingerprint } = info
  const sizes = `${count(slots, 'slot')} × ${contextTokens} tokens`
  if (settings.kind === 'scripted' || memory === undefined || device === undefined)
    return `scripted engine · ${sizes} · ${fingerprint}`
  return [
    basename(settings.modelPath),
    sizes,
    `KV cache ${settings.kvType} ${formatBytes(memory.kvBytes)}`,
    device,
    count(settings.threads, 'thread'),
    `${formatBytes(memory.availableBytes, Math.floor)} available`,
    fingerprint,
  ].join(' · ')
}

/** Returns the path of the bundled model's card; undefined for any other model. */
export function findModelCard(settings: EngineSettings): string | undefined {
  const isBundled = settings.kind === 'embedded' && settings.modelPath === bundledModelPath
  return isBundled ? join(packageRoot, 'model', 'MODEL_CARD.md') : undefined
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
