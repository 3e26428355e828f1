import { basename, join } from 'node:path'
import { packageRoot } from '../paths.ts'
import type { EngineSettings } from './engine-settings.ts'
import type { EngineInfo } from './engine.ts'
import { formatBytes } from './format-bytes.ts'

/** Describes the model and its resources in one line, for the operator. */
export function describeEngine(settings: EngineSettings, info: EngineInfo): string {
  const { slots, contextTokens, memory, device, fingerprint } = info
  const room = `${count(slots, 'slot')} × ${contextTokens} tokens`
  if (settings.kind === 'scripted' || memory === undefined || device === undefined)
    return `scripted engine · ${room} · ${fingerprint}`
  return [
    basename(settings.modelPath),
    room,
    `KV cache ${settings.kvType} ${formatBytes(memory.kvBytes)}`,
    device,
    count(settings.threads, 'thread'),
    `${formatBytes(memory.availableBytes, Math.floor)} available`,
    fingerprint,
  ].join(' · ')
}

/** Returns the path of the bundled model's card; undefined for any other model. */
export function findModelCard(settings: EngineSettings): string | undefined {
  const isBundled = settings.kind === 'embedded' && settings.modelSha256 !== undefined
  return isBundled ? join(packageRoot, 'model', 'MODEL_CARD.md') : undefined
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
