// Measures the families of docs/models.md and writes docs/models.json. Run it with `npm run models -- FOLDER`. The folder
// holds models with random weights that are named for their architecture, such as `qwen3-dense.q4_k_m.gguf`, which
// `sh tools/models/make-archs.sh FOLDER` writes. `npm run reference` then writes docs/models.md.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import {
  never,
  requestFor,
  say,
  startEngine,
  temporaryFolder,
} from '../../test/support/engine/engine-fixtures.ts'
import { familyModelIn } from '../../test/support/gguf/other-families.ts'
import { combinedGguf } from '../../test/support/models/combined-gguf.ts'
import { families } from './families.ts'
import { type FamilyFacts, type WeightsFacts, writeFacts } from './models-page.ts'
import { dialectFacts, familyTemplate } from './template-facts.ts'
import { withChatTemplate } from './with-chat-template.ts'

/** Texts that look like control tokens. */
const marks =
  /<[|｜][^<>\n'"{}]{1,40}[|｜]>|<\|[a-z_]+>|<[a-z_]+\|>|<\|"\|>|\[\/?[A-Z_]{3,20}\]|<\/?tool_calls?>|<\/?think>/gu

/** Common beginning of several prompts: about 90 tokens in the random models. */
const sharedStart =
  'Which birds can be seen in the mountains in spring, and where do they spend the winter? '.repeat(
    5,
  )
/** Endings of the prompts, about 70 tokens each. For shorter endings, llama.cpp's attention sums in another order. */
const questions = ['And in autumn? ', 'Do they sing? ', 'Who counts them? '].map((question) =>
  question.repeat(24),
)

async function measureTemplate(
  folder: string,
  template: string,
): Promise<Pick<FamilyFacts, 'renders' | 'reasoning' | 'tools'>> {
  const chatTemplate = familyTemplate(template)
  const texts = [...new Set(chatTemplate.match(marks) ?? [])]
  const tokens = Object.fromEntries(texts.map((text) => [text, 'control' as const]))
  const modelPath = join(folder, 'template.gguf')
  const weights = { contextTokens: 8192 }
  writeFileSync(modelPath, combinedGguf({ vocabulary: 'gpt-2', chatTemplate, tokens, weights }))
  try {
    const engine = await startEngine({ modelPath, slots: 1 })
    try {
      await askFor(engine, sharedStart)
      return { renders: true, ...dialectFacts(engine.info.dialect) }
    } finally {
      await engine.close()
    }
  } catch (error) {
    return { renders: sentence(error, modelPath) }
  } finally {
    rmSync(modelPath)
  }
}

/** A short template: files with random weights have none, and some have a context of only 256 tokens. */
const plainTemplate =
  "{% for message in messages %}{{ message.role + ': ' + message.content + '\n' }}{% endfor %}{{ 'assistant: ' }}"

async function measureWeights(modelPath: string): Promise<WeightsFacts> {
  try {
    const engine = await startEngine({ modelPath, slots: 2 })
    try {
      let asked = { promptTokens: 0, cachedTokens: 0 }
      for (const question of questions) asked = await askFor(engine, sharedStart + question)
      const { kernels, ownWeightsShare } = engine.info
      return { loads: true, ...asked, kernels, ownWeightsShare }
    } finally {
      await engine.close()
    }
  } catch (error) {
    return { loads: sentence(error, modelPath) }
  } finally {
    rmSync(modelPath)
  }
}

/** Generates a few tokens and returns how much of the prompt was in the KV cache. */
async function askFor(
  engine: EmbeddedEngine,
  text: string,
): Promise<{ promptTokens: number; cachedTokens: number }> {
  const prompt = await say(engine, text)
  const request = requestFor(prompt, { maxTokens: 4 })
  for await (const event of engine.generate(request, never))
    if (event.type === 'finish')
      return { promptTokens: prompt.tokens.length, cachedTokens: event.cachedTokens }
  throw new Error('the generation has no end')
}

function sentence(error: unknown, modelPath: string): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(`The model file ${modelPath} cannot be used: `, '').slice(0, 200)
}

/** Writes a model of an architecture to `folder`: our own, which is in Q8_0, or one of `models` with a chat template. */
function weightsIn(folder: string, models: string, arch: string): string | undefined {
  if (arch === 'apertus' || arch === 'gemma4') return familyModelIn(folder, arch)
  const file = fileOf(models, arch)
  if (file === undefined) return undefined
  const modelPath = join(folder, 'weights.gguf')
  writeFileSync(modelPath, withChatTemplate(readFileSync(file), plainTemplate))
  return modelPath
}

/** Returns a file of an architecture, one with Q4_K_M weights if there is any. */
function fileOf(folder: string, arch: string): string | undefined {
  const files = readdirSync(folder).filter((file) => /-(dense|moe)\b.*\.gguf$/.test(file))
  const own = files.filter((file) => file.replace(/-(dense|moe)\b.*$/, '') === arch)
  const best = own.find((file) => /q4_k_m/i.test(file)) ?? own[0]
  return best === undefined ? undefined : join(folder, best)
}

const [models] = process.argv.slice(2)
const made = temporaryFolder()
try {
  const facts: FamilyFacts[] = []
  const ran = new Date().toISOString().slice(0, 10)
  for (const [family, template, arch] of families) {
    const file = models === undefined ? undefined : weightsIn(made.path, models, arch)
    const measured = await measureTemplate(made.path, template)
    const weights = file === undefined ? undefined : await measureWeights(file)
    facts.push({ family, template, arch, ...measured, weights, ran })
    console.log(JSON.stringify(facts.at(-1)))
  }
  writeFacts(facts)
} finally {
  made.remove()
}
