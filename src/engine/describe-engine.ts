import { basename, join } from 'node:path'
import { bundledModelPath, packageRoot } from '../paths.ts'
import type { EngineSettings } from './engine-settings.ts'
import type { ChatTemplateOrigin, EngineInfo } from './engine.ts'
import { formatBytes } from './format-bytes.ts'

/** Describes the model and its resources in one line, for the operator. */
export function describeEngine(settings: EngineSettings, info: EngineInfo): string {
  const { slots, contextTokens, memory, device, sandbox, fingerprint, chatTemplate } = info
  const sizes = `${count(slots, 'slot')} × ${contextTokens} tokens`
  if (settings.kind === 'upstream')
    return `${settings.model} on ${count(settings.urls.length, `${settings.flavour} upstream`)} · ${sizes} · ${fingerprint}`
  if (settings.kind === 'scripted' || memory === undefined || device === undefined)
    return `scripted engine · ${sizes} · ${fingerprint}`
  return [
    basename(settings.modelPath),
    describeTemplate(chatTemplate, settings.chatTemplatePath),
    sizes,
    `KV cache ${settings.kvType} ${formatBytes(memory.kvBytes)}`,
    device,
    describeKernels(info),
    count(settings.threads, 'thread'),
    `${formatBytes(memory.availableBytes, Math.floor)} available`,
    sandbox,
    fingerprint,
  ]
    .filter((part) => part !== undefined)
    .join(' · ')
}

/** Returns undefined for the usual case, the template of the model file. */
function describeTemplate(
  origin: ChatTemplateOrigin | undefined,
  path: string | undefined,
): string | undefined {
  if (origin === 'ChatML') return 'no chat template in the file: ChatML is used'
  return path === undefined ? undefined : `chat template ${basename(path)}`
}

/** Returns the path of the bundled model's card; undefined for any other model. */
export function findModelCard(settings: EngineSettings): string | undefined {
  const isBundled = settings.kind === 'embedded' && settings.modelPath === bundledModelPath
  return isBundled ? join(packageRoot, 'model', 'MODEL_CARD.md') : undefined
}

/** Returns which kernels compute which part of the weights. */
function describeKernels(info: EngineInfo): string | undefined {
  const { kernels, ownWeightsShare = 0, kernelsDifference } = info
  if (kernels === undefined) return undefined
  if (kernelsDifference !== undefined)
    return `kernels of llama.cpp, because ours differ (${kernelsDifference})`
  if (ownWeightsShare === 0) return 'kernels of llama.cpp'
  if (ownWeightsShare === 1) return `own kernels (${kernels})`
  const percent = Math.floor(ownWeightsShare * 1000) / 10
  return `own kernels (${kernels}) for ${percent} % of the weights, llama.cpp's for the rest`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
