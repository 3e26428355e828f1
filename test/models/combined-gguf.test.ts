import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { say, startEngine, temporaryFolder } from '../support/engine/engine-fixtures.ts'
import { combinedGguf, tokensOf } from '../support/models/combined-gguf.ts'
import { templateNames, templateSource, vocabularyNames } from '../support/models/release-files.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

test('the release has the vocabularies and the chat templates of the model families', () => {
  expect(vocabularyNames()).toEqual(expect.arrayContaining(['gemma-4', 'llama-bpe', 'qwen35']))
  expect(vocabularyNames().length).toBe(19)
  expect(templateNames().length).toBe(70)
})

test('a real vocabulary with a real chat template and its control tokens makes a model that loads', async () => {
  const chatTemplate = templateSource('Qwen-Qwen3-0.6B')
  const tokens = { '<|im_start|>': 'control', '<|im_end|>': 'control' } as const
  const modelPath = join(folder.path, 'combined.gguf')
  writeFileSync(modelPath, combinedGguf({ vocabulary: 'gpt-2', chatTemplate, tokens }))
  const engine = await startEngine({ modelPath })
  try {
    const prompt = await say(engine, 'Hello')
    const texts = [...tokensOf('gpt-2'), ...Object.keys(tokens)]
    const written = [...prompt.tokens].map((token) => texts[token]).join(' ')
    expect(written).toBe('<|im_start|> user Ċ Hello <|im_end|> Ċ <|im_start|> ass istant Ċ')
  } finally {
    await engine.close()
  }
})

test('a file without a template has none, though llama.cpp names one of its own for its vocabulary and layers', async () => {
  const tokens = { '<|im_start|>': 'control', '<|im_end|>': 'control' } as const
  const metadata = { 'tokenizer.ggml.pre': 'tekken' }
  const modelPath = join(folder.path, 'mistral.gguf')
  const weights = { layers: 40 }
  writeFileSync(modelPath, combinedGguf({ vocabulary: 'gpt-2', tokens, metadata, weights }))
  const engine = await startEngine({ modelPath })
  try {
    expect(engine.info.chatTemplate).toBe('ChatML')
  } finally {
    await engine.close()
  }
})
