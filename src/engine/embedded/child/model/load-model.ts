import { createHash } from 'node:crypto'
import { detectDialect } from '../../../dialect/detect-dialect.ts'
import { type Dialect, markTexts } from '../../../dialect/dialect.ts'
import type { ChatTemplateOrigin } from '../../../engine.ts'
import { detectToolForm } from '../../../tool-forms/detect-tool-form.ts'
import type { Tool } from '../../../tools.ts'
import type { ChildSettings, ModelFacts } from '../../ipc.ts'
import { type Addon, loadAddon, type NativeEngine, type NativeFacts } from '../addon.ts'
import { Thoughts } from '../thoughts.ts'
import { PromptBuilder } from '../prompt/prompt-builder.ts'
import type { TemplateSource } from '../prompt/prompt-pieces.ts'
import { Vocabulary } from '../prompt/vocabulary.ts'
import { availableMemory } from './available-memory.ts'
import { openDevice } from './device.ts'
import { type MemoryPlan, planMemory } from './memory-plan.ts'
import { checkModelFile, ModelFileError } from './model-file.ts'
import { readModelShape } from './model-header.ts'
import { sha256OfModel } from './model-sha256.ts'
import { reportSlowLoad } from './report-slow-load.ts'
import { SettingsError } from './settings-error.ts'

/** Maximum number of prompt tokens in a chunk. Larger chunks take more memory (docs/decisions/0005). */
const prefillChunkTokens = 256

export type LoadedModel = {
  readonly engine: NativeEngine
  readonly vocabulary: Vocabulary
  readonly prompts: PromptBuilder
  /** Set only if the model writes thoughts before its answers. */
  readonly thoughts: Thoughts | undefined
  readonly facts: Omit<ModelFacts, 'sandbox'>
}

type LoadListener = {
  /** Receives the events of one step. */
  onStep(events: Int32Array): void
  /** Receives the share of the work done so far, 0 to 1, from time to time during a slow load. */
  onProgress(share: number): void
}

/**
 * Checks the file, plans the memory, loads the weights, and checks the chat template.
 * @throws ModelFileError for a fault of the file, SettingsError for settings that the machine
 * cannot serve
 */
export async function loadModel(
  settings: ChildSettings,
  addon: Addon,
  { onStep, onProgress }: LoadListener,
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
      checkpointBytesMax: plan.checkpointBytes,
      speculativeTokensMax: settings.speculativeTokens,
      arithmetic: settings.arithmetic ?? 'best',
    },
    onStep,
  )
  const [sha256, native] = await loadWeights(settings, engine, onProgress)
  const vocabulary = new Vocabulary(engine)
  const template = chooseTemplate(settings, native)
  const dialect = detectDialect(template.source, template.toolSource)
  const prompts = createPrompts(engine, native, vocabulary, { template, dialect })
  requirePlainSpecialTexts(prompts, vocabulary, markTexts(dialect))
  vocabulary.readMarks(engine, markTexts(dialect))
  const { reasoning } = dialect
  const thoughts =
    reasoning && new Thoughts(reasoning, plan.contextTokens, (text) => prompts.tokenizeMarks(text))
  // Everything that changes the bits of a reply.
  const fingerprintParts = [
    sha256,
    ...sourcesOf(template),
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
    thoughts,
    facts: {
      modelSha256: sha256,
      slots: plan.slots,
      contextTokens: plan.contextTokens,
      vocabularyTokens: vocabulary.tokenCount,
      chatTemplate: template.origin,
      kvBytes: plan.kvBytes,
      availableBytes,
      device: device.description,
      isOnGpu: device.kind !== 'cpu',
      dialect,
      kernels: native.kernels,
      ownWeightsShare: native.ownWeightsShare,
      kernelsDifference: native.difference,
      fingerprint: `fp_${fingerprint.slice(0, 12)}`,
    },
  }
}

/** Loads the weights and hashes the files meanwhile, unless their checksum is known. */
async function loadWeights(
  { modelPath, modelSha256 }: ChildSettings,
  engine: NativeEngine,
  onProgress: LoadListener['onProgress'],
): Promise<[sha256: string, native: NativeFacts]> {
  let hashedShare = modelSha256 === undefined ? 0 : 1
  const hash = async (): Promise<string> =>
    await sha256OfModel(modelPath, (share) => (hashedShare = share))
  // llama.cpp maps the file in one call, so the share that it reports stays at 0 while the disk is read.
  const stopReports = reportSlowLoad(() =>
    onProgress(Math.min(1, (hashedShare + engine.progress().loadedShare) / 2)),
  )
  const loading = Promise.all([
    modelSha256 ?? hash(),
    engine.load().catch((error: Error) => {
      throw new ModelFileError(error.message)
    }),
  ])
  return await loading.finally(stopReports)
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
  const sha256 = await sha256OfModel(modelPath)
  if (sha256 !== modelSha256) {
    throw new ModelFileError(`its SHA-256 is ${sha256} and should be ${modelSha256}`)
  }
}

type TemplateSources = Pick<TemplateSource, 'source' | 'toolSource'>
type ChosenTemplate = TemplateSources & { readonly origin: ChatTemplateOrigin }

function chooseTemplate({ chatTemplate }: ChildSettings, native: NativeFacts): ChosenTemplate {
  if (chatTemplate !== undefined) return { source: chatTemplate, origin: 'setting' }
  if (!native.chatTemplate) return { source: chatMl, origin: 'ChatML' }
  // A form of calls that this service does not read is of no use. Tools are then described as text.
  const { toolTemplate = '' } = native
  const isReadable = detectToolForm(toolTemplate) !== undefined
  return {
    source: native.chatTemplate,
    ...(isReadable && { toolSource: toolTemplate }),
    origin: 'model',
  }
}

function sourcesOf({ source, toolSource }: TemplateSources): string[] {
  return toolSource === undefined ? [source] : [source, toolSource]
}

/** ChatML, the most common template, for a file without a template. */
const chatMl = [
  '{% for message in messages %}',
  String.raw`{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}`,
  '{% endfor %}',
  String.raw`{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}`,
].join('')

const exampleTool: Tool = { name: 'get_time', description: undefined, parameters: undefined }

function createPrompts(
  engine: NativeEngine,
  native: NativeFacts,
  vocabulary: Vocabulary,
  { template, dialect }: { template: ChosenTemplate; dialect: Dialect },
): PromptBuilder {
  const constants = {
    bos_token: vocabulary.textOf(native.bosToken),
    eos_token: vocabulary.textOf(native.eosToken),
  }
  try {
    const { specialTexts } = vocabulary
    const marks = [...sourcesOf(template), ...markTexts(dialect)]
    const controlTexts = [...vocabulary.controlTexts(marks).keys()]
    const tokenRules = {
      firstToken: native.addsBos ? native.bosToken : undefined,
      trimsBefore: vocabulary.trimsBefore,
      trimsAfter: vocabulary.trimsAfter,
    }
    const source = {
      source: template.source,
      toolSource: template.toolSource,
      constants,
      specialTexts,
      controlTexts,
      tokenRules,
    }
    const prompts = new PromptBuilder(engine, source, dialect.reasoning)
    const conversations = template.toolSource === undefined ? [[]] : [[], [exampleTool]]
    for (const tools of conversations) {
      const { tokens } = prompts.build([{ role: 'user', content: 'Hello' }], tools)
      if (tokens.length === 0) throw new Error('it makes an empty prompt')
    }
    return prompts
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    if (template.origin === 'setting')
      throw new SettingsError(`The chat template of PIPIT_CHAT_TEMPLATE does not work: ${cause}`)
    throw new ModelFileError(`its chat template does not work: ${cause}`)
  }
}

/** Checks that texts of special tokens and control texts are tokenised as plain text in a message. */
function requirePlainSpecialTexts(
  prompts: PromptBuilder,
  vocabulary: Vocabulary,
  marks: readonly string[],
): void {
  const sources = [...sourcesOf(prompts.source), ...marks]
  const tokensOf = new Map([...vocabulary.specialTexts, ...vocabulary.controlTexts(sources)])
  const special = new Set(tokensOf.values())
  const countSpecial = (content: string): number => {
    const { tokens } = prompts.build([{ role: 'user', content }])
    return tokens.filter((token) => special.has(token)).length
  }
  const expected = countSpecial('Hello')
  const texts = [...tokensOf.keys()]
  if (countSpecial(`Hello ${texts.join(' ')} Hello`) === expected) return
  const leaking: string[] = []
  for (const text of texts) if (countSpecial(text) !== expected) leaking.push(text)
  const named = leaking.slice(0, 5).map((text) => JSON.stringify(text.slice(0, 40)))
  throw new ModelFileError(
    `its vocabulary marks special tokens (${named.join(', ')}) so that a user could write them`,
  )
}
