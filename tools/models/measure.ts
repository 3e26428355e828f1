// Measures the families of docs/models.md and writes docs/models.json. Run it with `npm run models -- FOLDER`. The folder
// holds models with random weights that are named for their architecture, such as `qwen3-dense.q4_k_m.gguf`; llama.cpp's
// `test-llama-archs` writes them and its `llama-quantize` shortens them. `npm run reference` then writes docs/models.md.
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
import { combinedGguf } from '../../test/support/models/combined-gguf.ts'
import { templateSource } from '../../test/support/models/release-files.ts'
import { families } from './families.ts'
import { type FamilyFacts, type WeightsFacts, writeFacts } from './models-page.ts'
import { withChatTemplate } from './with-chat-template.ts'

/** Texts that look like control tokens. */
const marks =
  /<[|｜][^<>\n'"{}]{1,40}[|｜]>|<\|[a-z_]+>|<[a-z_]+\|>|<\|"\|>|\[\/?[A-Z_]{3,20}\]|<\/?tool_calls?>|<\/?think>/gu

const question =
  'Which birds can be seen in the mountains in spring, and where do they spend the winter?'

async function measureTemplate(
  folder: string,
  template: string,
): Promise<Pick<FamilyFacts, 'renders' | 'reasoning' | 'tools'>> {
  const chatTemplate = templateSource(template)
  const texts = [...new Set(chatTemplate.match(marks) ?? [])]
  const tokens = Object.fromEntries(texts.map((text) => [text, 'control' as const]))
  const modelPath = join(folder, `${template}.gguf`)
  const weights = { contextTokens: 8192 }
  writeFileSync(modelPath, combinedGguf({ vocabulary: 'gpt-2', chatTemplate, tokens, weights }))
  try {
    const engine = await startEngine({ modelPath, slots: 1 })
    try {
      await cachedTokens(engine)
      const { reasoning, toolForm } = engine.info.dialect
      const form = reasoning?.form === 'channels' ? 'channels' : reasoning?.begin
      return { renders: true, reasoning: form, tools: toolForm }
    } finally {
      await engine.close()
    }
  } catch (error) {
    return { renders: sentence(error, modelPath) }
  } finally {
    rmSync(modelPath)
  }
}

/** A short template, since a file with random weights has none, and some have room for 256 tokens only. */
const plainTemplate =
  "{% for message in messages %}{{ message.role + ': ' + message.content + '\n' }}{% endfor %}{{ 'assistant: ' }}"

async function measureWeights(folder: string, file: string): Promise<WeightsFacts> {
  const modelPath = join(folder, 'weights.gguf')
  writeFileSync(modelPath, withChatTemplate(readFileSync(file), plainTemplate))
  try {
    const engine = await startEngine({ modelPath, slots: 1 })
    try {
      const promptTokens = (await say(engine, question)).tokens.length
      await cachedTokens(engine)
      const { kernels, ownWeightsShare } = engine.info
      const found = await cachedTokens(engine)
      return { loads: true, promptTokens, cachedTokens: found, kernels, ownWeightsShare }
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
async function cachedTokens(engine: EmbeddedEngine): Promise<number> {
  const request = requestFor(await say(engine, question), { maxTokens: 4 })
  for await (const event of engine.generate(request, never))
    if (event.type === 'finish') return event.cachedTokens
  throw new Error('the generation has no end')
}

function sentence(error: unknown, modelPath: string): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(`The model file ${modelPath} cannot be used: `, '').slice(0, 200)
}

/** Returns the file of an architecture with the most common weights. */
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
    const file = models === undefined ? undefined : fileOf(models, arch)
    const measured = await measureTemplate(made.path, template)
    const weights = file === undefined ? undefined : await measureWeights(made.path, file)
    facts.push({ family, template, arch, ...measured, weights, ran })
    console.log(JSON.stringify(facts.at(-1)))
  }
  writeFacts(facts)
} finally {
  made.remove()
}
