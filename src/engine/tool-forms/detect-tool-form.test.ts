import { describe, expect, test } from 'vitest'
import { templateNames, templateSource } from '../../../test/support/models/release-files.ts'
import type { ChatMessage } from '../engine.ts'
import { ChatTemplate } from '../embedded/child/prompt/chat-template.ts'
import { ForgeableTexts } from '../embedded/child/prompt/forgery-breaker.ts'
import { detectToolForm, toolFormOf } from './detect-tool-form.ts'
import { alternativesOf } from './tool-form.ts'
import { ToolCallReader } from './reading/tool-call-reader.ts'

test('the form of each chat template of the release is known', () => {
  const byForm = Map.groupBy(templateNames(), (name) => detectToolForm(templateSource(name)))
  expect(Object.fromEntries(byForm)).toEqual(expected)
})

test('marks of LFM2 around a block of Python, as MiniCPM3 writes it, are no known form', () => {
  const source = (block: string) =>
    `{% if tools %}{{ describe(tools) }}{% endif %}{{ '<|tool_call_start|>${block}<|tool_call_end|>' }}`
  expect(detectToolForm(source('[f(a=1)]'))).toBe('lfm2')
  expect(detectToolForm(source('\\n```python\\nf(a=1)\\n```\\n'))).toBeUndefined()
})

const call = {
  name: 'book',
  arguments: { city: 'Paris', days: 2, exact: true, rooms: ['a', { beds: 1 }] },
}
const tool = {
  name: 'book',
  description: 'Books rooms.',
  parameters: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer' },
      exact: { type: 'boolean' },
      rooms: { type: 'array' },
    },
  },
}

/** Renders a conversation with calls and their results. */
function render(source: string, count: number): string {
  const toolCalls = ['abcdefghi', '123456789']
    .slice(0, count)
    .map((id) => ({ id, name: call.name, arguments: JSON.stringify(call.arguments) }))
  const messages: ChatMessage[] = [
    { role: 'user', content: 'Question' },
    { role: 'assistant', content: '', toolCalls },
    ...toolCalls.map(({ id }): ChatMessage => ({ role: 'tool', content: 'Done', toolCallId: id })),
  ]
  const template = new ChatTemplate(
    source,
    { bos_token: '', eos_token: '' },
    new ForgeableTexts([], undefined),
  )
  const parts = template.render(messages, [
    { ...tool, parameters: JSON.stringify(tool.parameters) },
  ])
  return parts.map(({ text }) => text).join('')
}

describe('calls that a template writes are read in its form', () => {
  const names = templateNames().filter((name) => detectToolForm(templateSource(name)) !== undefined)
  test.each(names)('%s', (name) => {
    const source = templateSource(name)
    const form = toolFormOf(detectToolForm(source))
    const count = form.isSingle === true ? 1 : 2
    const rendered = render(source, count)
    const asked = rendered.lastIndexOf('Question')
    const reply = rendered.slice(
      Math.max(...alternativesOf(form.begin).map((begin) => rendered.indexOf(begin, asked))),
    )
    const parameters = JSON.stringify(tool.parameters)
    const reader = new ToolCallReader({ ...form, lead: undefined }, [{ ...tool, parameters }])
    const deltas = reply.split('').flatMap((character) => reader.push(character).calls)
    const texts: string[] = []
    for (const delta of deltas)
      if (delta.type === 'call')
        expect([texts.push(''), delta.name]).toEqual([texts.length, 'book'])
      else texts[delta.call] += delta.text
    expect(texts.map((text) => JSON.parse(text))).toEqual(Array(count).fill(call.arguments))
  })
})

const expected = {
  undefined: [
    'HuggingFaceTB-SmolLM3-3B',
    'MiniMax-M3',
    'deepseek-ai-DeepSeek-R1-Distill-Llama-8B',
    'deepseek-ai-DeepSeek-R1-Distill-Qwen-32B',
    'deepseek-ai-DeepSeek-V3.1',
    'google-gemma-2-2b-it',
    'llama-cpp-rwkv-world',
    'meetkai-functionary-medium-v3.2',
    'microsoft-Phi-3.5-mini-instruct',
    'muse-glimmer',
  ],
  apertus: ['Apertus-8B-Instruct'],
  apriel: ['Apriel-1.6-15b-Thinker-fixed', 'unsloth-Apriel-1.5'],
  commandR: ['Cohere2MoE', 'CohereForAI-c4ai-command-r7b-12-2024-tool_use'],
  commandRPlus: ['CohereForAI-c4ai-command-r-plus-tool_use'],
  deepseekR1: ['llama-cpp-deepseek-r1'],
  deepseekV32: ['deepseek-ai-DeepSeek-V3.2'],
  deepseekV4: ['deepseek-ai-DeepSeek-V4', 'deepseek-ai-DeepSeek-V4-Flash-0731'],
  firefunction: ['fireworks-ai-llama-3-firefunction-v2'],
  functionXml: [
    'NVIDIA-Nemotron-3-Nano-30B-A3B-BF16',
    'Qwen3-Coder',
    'Qwen3.5-4B',
    'StepFun3.5-Flash',
  ],
  functionary: ['meetkai-functionary-medium-v3.1'],
  gemma4: ['google-gemma-4-31B-it', 'google-gemma-4-31B-it-interleaved'],
  gigachat: ['GigaChat3.1-10B-A1.8B'],
  gigachat3: ['GigaChat3-10B-A1.8B'],
  glm: [
    'GLM-4.6',
    'GLM-4.7-Flash',
    'Spark2.5',
    'inclusionai-ling-3.0-flash',
    'poolside-Laguna-S-2.1',
    'poolside-Laguna-XS-2.1',
    'poolside-Laguna-XS.2',
  ],
  granite3: ['ibm-granite-granite-3.3-2B-Instruct'],
  harmony: ['openai-gpt-oss-120b'],
  hermes: [
    'Bielik-11B-v3.0-Instruct',
    'MiMo-VL',
    'NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use',
    'NousResearch-Hermes-3-Llama-3.1-8B-tool_use',
    'Qwen-QwQ-32B',
    'Qwen-Qwen2.5-7B-Instruct',
    'Qwen-Qwen3-0.6B',
    'Reka-Edge',
    'ibm-granite-granite-4.0',
    'ibm-granite-granite-4.1',
  ],
  hunyuan3: ['tencent-Hy3'],
  kimiK2: ['Kimi-K2-Instruct', 'Kimi-K2-Thinking', 'moonshotai-Kimi-K2'],
  kimiK3: ['Kimi-K3'],
  lfm2: ['LFM2-8B-A1B', 'LFM2.5-8B-A1B', 'LFM2.5-Instruct'],
  llama3: [
    'meta-llama-Llama-3.1-8B-Instruct',
    'meta-llama-Llama-3.2-3B-Instruct',
    'meta-llama-Llama-3.3-70B-Instruct',
  ],
  minicpm5: ['openbmb-MiniCPM5-1B'],
  minimaxM1: ['MiniMax-M1'],
  minimaxM2: ['MiniMax-M2'],
  mistral: ['mistralai-Ministral-3-14B-Reasoning-2512', 'unsloth-mistral-Devstral-Small-2507'],
  mistralIds: ['Mistral-Small-3.2-24B-Instruct-2506'],
  mistralList: ['mistralai-Mistral-Nemo-Instruct-2407'],
  nemotronV2: ['NVIDIA-Nemotron-Nano-v2'],
  seed: ['ByteDance-Seed-OSS'],
  solar: ['upstage-Solar-Open-100B'],
}
