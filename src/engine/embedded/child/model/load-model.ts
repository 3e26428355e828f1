import { createHash } from 'node:crypto'
import type { ChildSettings, ModelFacts } from '../../ipc.ts'
import { type Addon, loadAddon, type NativeEngine, type NativeFacts } from '../addon.ts'
import { ChatTemplate } from '../prompt/chat-template.ts'
import { patternOf, PromptBuilder } from '../prompt/prompt-builder.ts'
import { Vocabulary } from '../prompt/vocabulary.ts'
import { availableMemory } from './available-memory.ts'
import { openDevice } from './device.ts'
import { type MemoryPlan, planMemory } from './memory-plan.ts'
import { checkModelFile, ModelFileError, sha256OfFile } from './model-file.ts'
import { readModelShape } from './model-header.ts'

/** The largest chunk; larger ones take more memory (docs/decisions/0005). */
const prefillChunkTokens = 256

export type LoadedModel = {
  readonly engine: NativeEngine
  readonly vocabulary: Vocabulary
  readonly prompts: PromptBuilder
  readonly facts: ModelFacts
}

/**
 * Checks the file, plans the memory, loads the weights, and checks the chat template.
 * @throws ModelFileError for a fault of the file, SettingsError for settings that the machine
 * cannot serve
 */
export async function loadModel(
  settings: ChildSettings,
  addon: Addon,
  onStep: (events: Int32Array) => void,
): Promise<LoadedModel> {
  await checkModelFile(settings.modelPath)
  // The checksum of a pinned file is checked before anything parses it.
  if (settings.modelSha256 !== undefined) await requireChecksum(settings)
  const device = openDevice(settings, addon)
  const availableBytes = settings.availableBytes ?? device.freeBytes ?? availableMemory()
  const plan = await planFor(settings, addon, availableBytes)
  const engine = new addon.NativeEngine(
    {
      modelPath: settings.modelPath,
      slots: plan.slots,
      contextTokens: plan.contextTokens,
      kvType: settings.kvType,
      threads: settings.threads,
      prefillChunkTokens,
      cachedTokensMax: plan.cachedTokens,
      speculativeTokensMax: settings.speculativeTokens,
      arithmetic: settings.arithmetic ?? 'best',
    },
    onStep,
  )
  const [sha256, native] = await Promise.all([
    settings.modelSha256 ?? sha256OfFile(settings.modelPath),
    engine.load().catch((error: Error) => {
      throw new ModelFileError(error.message)
    }),
  ])
  const vocabulary = new Vocabulary(engine)
  const prompts = await createPrompts(engine, native, vocabulary)
  await requirePlainSpecialTexts(prompts, vocabulary)
  // Everything that changes the bits of a reply.
  const fingerprintParts = [
    sha256,
    native.chatTemplate,
    settings.llamaBuild,
    native.arithmetic,
    settings.kvType,
    device.kind,
  ]
  const fingerprint = createHash('sha256').update(fingerprintParts.join('\n')).digest('hex')
  return {
    engine,
    vocabulary,
    prompts,
    facts: {
      slots: plan.slots,
      contextTokens: plan.contextTokens,
      vocabularyTokens: vocabulary.tokenCount,
      kvBytes: plan.kvBytes,
      availableBytes,
      device: device.description,
      fingerprint: `fp_${fingerprint.slice(0, 12)}`,
    },
  }
}

/** @throws Error when the addon was built for another llama.cpp than the installed one */
export function loadMatchingAddon(settings: ChildSettings): Addon {
  const addon = loadAddon(settings.addonPath)
  if (addon.llamaBuild() !== settings.llamaBuild) {
    throw new Error(
      `the engine was built with llama.cpp ${settings.llamaBuild} and finds ${addon.llamaBuild()}: run \`npm run build\``,
    )
  }
  return addon
}

/** Plans the memory from the file's header, before the weights are loaded. */
async function planFor(
  { modelPath, slots, contextTokens, cachedTokens, kvType }: ChildSettings,
  addon: Addon,
  availableBytes: number,
): Promise<MemoryPlan> {
  const shape = await readModelShape(addon, modelPath, kvType)
  if (contextTokens !== undefined && contextTokens > shape.trainedContextTokens)
    throw new ModelFileError(
      `it reads at most ${shape.trainedContextTokens} tokens, and the configured context has ${contextTokens}`,
    )
  const wanted = { slots, contextTokens, cachedTokens, kvType }
  return planMemory(wanted, { ...shape, availableBytes })
}

async function requireChecksum({ modelPath, modelSha256 }: ChildSettings): Promise<void> {
  const sha256 = await sha256OfFile(modelPath)
  if (sha256 !== modelSha256) {
    throw new ModelFileError(`its SHA-256 is ${sha256} and should be ${modelSha256}`)
  }
}

async function createPrompts(
  engine: NativeEngine,
  native: NativeFacts,
  vocabulary: Vocabulary,
): Promise<PromptBuilder> {
  if (!native.chatTemplate) throw new ModelFileError('it has no chat template')
  const constants = {
    bos_token: vocabulary.textOf(native.bosToken),
    eos_token: vocabulary.textOf(native.eosToken),
  }
  try {
    const pattern = patternOf([...vocabulary.specialTexts.keys()])
    const template = new ChatTemplate(native.chatTemplate, constants, pattern)
    const prompts = new PromptBuilder(engine, template, vocabulary)
    const { tokens } = await prompts.build([{ role: 'user', content: 'Hello' }])
    if (tokens.length === 0) throw new Error('it makes an empty prompt')
    return prompts
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new ModelFileError(`its chat template does not work: ${cause}`)
  }
}

/** Checks for every special token that its text in a message is tokenised as plain text. */
async function requirePlainSpecialTexts(
  prompts: PromptBuilder,
  vocabulary: Vocabulary,
): Promise<void> {
  const special = new Set(vocabulary.specialTexts.values())
  const countSpecial = async (content: string): Promise<number> => {
    const { tokens } = await prompts.build([{ role: 'user', content }])
    return tokens.filter((token) => special.has(token)).length
  }
  const expected = await countSpecial('Hello')
  const texts = [...vocabulary.specialTexts.keys()]
  if ((await countSpecial(`Hello ${texts.join(' ')} Hello`)) === expected) return
  const leaking: string[] = []
  for (const text of texts) if ((await countSpecial(text)) !== expected) leaking.push(text)
  const named = leaking.slice(0, 5).map((text) => JSON.stringify(text.slice(0, 40)))
  throw new ModelFileError(
    `its vocabulary marks special tokens (${named.join(', ')}) so that a user could write them`,
  )
}
