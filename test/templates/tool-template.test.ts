import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { EmbeddedEngine } from '../../src/engine/embedded/embedded-engine.ts'
import { never, startEngine, temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { chatMlTemplate } from '../support/gguf/llama-model.ts'
import { combinedGguf } from '../support/models/combined-gguf.ts'
import { templateSource } from '../support/models/release-files.ts'
import { conversations } from './conversations.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const hermes = templateSource('NousResearch-Hermes-3-Llama-3.1-8B-tool_use')

function write(name: string, content: string | Buffer): string {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}

/** Writes a model that has a template for conversations with tools beside ChatML. */
function writeModel(name: string, toolTemplate: string): string {
  const model = combinedGguf({
    vocabulary: 'gpt-2',
    tokens: { '<|im_start|>': 'control', '<|im_end|>': 'control' },
    chatTemplate: chatMlTemplate,
    metadata: { 'tokenizer.chat_template.tool_use': toolTemplate },
    weights: { contextTokens: 8192 },
  })
  return write(name, model)
}

type Started = {
  readonly plain: number[]
  readonly withTools: number[]
  readonly info: EmbeddedEngine['info']
}

async function started(settings: {
  modelPath: string
  chatTemplatePath?: string
}): Promise<Started> {
  const engine = await startEngine({ ...settings, slots: 1 })
  try {
    const tokens = async (wanted: string): Promise<number[]> => {
      const { messages, tools } = conversations.find(({ name }) => name === wanted)!
      const format = { type: 'tools', tools, choice: 'auto', areParallel: true } as const
      const options = tools.length === 0 ? {} : { format }
      return [...(await engine.prepare(messages, never, options)).tokens]
    }
    return {
      plain: await tokens('system'),
      withTools: await tokens('tools'),
      info: engine.info,
    }
  } finally {
    await engine.close()
  }
}

test("a model's own template for tools is used for conversations with tools, and only for them", async () => {
  const modelPath = writeModel('both.gguf', hermes)
  const both = await started({ modelPath })
  const chatMl = await started({ modelPath, chatTemplatePath: write('own.jinja', chatMlTemplate) })
  const tools = await started({ modelPath, chatTemplatePath: write('tools.jinja', hermes) })
  expect(both.plain).toEqual(chatMl.plain)
  expect(both.withTools).toEqual(tools.withTools)
  expect(both.withTools).not.toEqual(chatMl.withTools)
  expect(both.info.dialect.toolForm).toBe('hermes')
  expect(both.info.fingerprint).not.toBe(chatMl.info.fingerprint)
})

test('a template for tools whose form of calls is unknown is not used', async () => {
  const modelPath = writeModel('unknown.gguf', 'Tools: {{ tools }} {{ messages }}')
  const unknown = await started({ modelPath })
  const chatMl = await started({ modelPath, chatTemplatePath: write('own.jinja', chatMlTemplate) })
  expect(unknown.withTools).toEqual(chatMl.withTools)
  expect(unknown.info.fingerprint).toBe(chatMl.info.fingerprint)
})

test('a start with a broken template for tools says so', async () => {
  const modelPath = writeModel('broken.gguf', `${hermes}{% endfor %}`)
  await expect(startEngine({ modelPath, slots: 1 })).rejects.toThrow(
    'its chat template does not work',
  )
})
