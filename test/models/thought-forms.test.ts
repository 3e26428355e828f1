import { expect, test } from 'vitest'
import { detectDialect } from '../../src/engine/dialect/detect-dialect.ts'
import type { ThoughtState } from '../../src/engine/dialect/dialect.ts'
import { createReasoningReader } from '../../src/engine/dialect/reasoning-reader.ts'
import { toolFormOf } from '../../src/engine/tool-forms/detect-tool-form.ts'
import { templateNames, templateSource } from '../support/models/release-files.ts'
import { readCalls } from '../support/schemas/call-sampling.ts'

/** Chat templates by the mark that begins a thought. All other templates have no such mark. */
const begins: Record<string, string[]> = {
  '<think>': [
    'Bielik-11B-v3.0-Instruct',
    'GLM-4.6',
    'GLM-4.7-Flash',
    'HuggingFaceTB-SmolLM3-3B',
    'Kimi-K2-Thinking',
    'LFM2.5-8B-A1B',
    'LFM2.5-Instruct',
    'MiniMax-M2',
    'NVIDIA-Nemotron-3-Nano-30B-A3B-BF16',
    'NVIDIA-Nemotron-Nano-v2',
    'Qwen-QwQ-32B',
    'Qwen-Qwen3-0.6B',
    'Qwen3.5-4B',
    'Reka-Edge',
    'Spark2.5',
    'StepFun3.5-Flash',
    'deepseek-ai-DeepSeek-R1-Distill-Llama-8B',
    'deepseek-ai-DeepSeek-R1-Distill-Qwen-32B',
    'deepseek-ai-DeepSeek-V3.1',
    'deepseek-ai-DeepSeek-V3.2',
    'deepseek-ai-DeepSeek-V4',
    'deepseek-ai-DeepSeek-V4-Flash-0731',
    'ibm-granite-granite-3.3-2B-Instruct',
    'inclusionai-ling-3.0-flash',
    'llama-cpp-deepseek-r1',
    'llama-cpp-rwkv-world',
    'openbmb-MiniCPM5-1B',
    'poolside-Laguna-S-2.1',
    'poolside-Laguna-XS-2.1',
    'poolside-Laguna-XS.2',
  ],
  '<thinking>': ['unsloth-Apriel-1.5'],
  '<|inner_prefix|>': ['Apertus-8B-Instruct'],
  '<seed:think>': ['ByteDance-Seed-OSS'],
  '<mm:think>': ['MiniMax-M3'],
  '<think:opensource>': ['tencent-Hy3'],
  '[THINK]': ['mistralai-Ministral-3-14B-Reasoning-2512'],
  '<|START_THINKING|>': ['Cohere2MoE', 'CohereForAI-c4ai-command-r7b-12-2024-tool_use'],
  '<|channel>thought': ['google-gemma-4-31B-it', 'google-gemma-4-31B-it-interleaved'],
  '<|channel|>analysis<|message|>': ['openai-gpt-oss-120b'],
  '<|think|>': ['upstage-Solar-Open-100B'],
  '<|open|>think<|sep|>': ['Kimi-K3'],
  ' to=self<|message|>': ['muse-glimmer'],
  'Here are my reasoning steps:': ['Apriel-1.6-15b-Thinker-fixed'],
}

test('finds in every chat template of the release how the model begins a thought', () => {
  const expected = new Map(
    Object.entries(begins).flatMap(([begin, names]) => names.map((name) => [name, begin] as const)),
  )
  for (const name of templateNames()) {
    const { reasoning } = detectDialect(templateSource(name))
    expect([name, reasoning?.begin]).toEqual([name, expected.get(name)])
  }
})

type Split = { after?: ThoughtState; reply: string; reasoning?: string; text: string }

const plan = 'First the sum.\nThen the check.'
const sum = 'The sum is 7.\nIs that all?'

/** Replies as the models write them. llama-server splits them in the same way. */
const splits: Record<string, Split[]> = {
  'Qwen-QwQ-32B': [
    { after: 'open', reply: `${plan}\n</think>\n${sum}`, reasoning: plan, text: sum },
    { after: 'open', reply: `</think>${sum}`, text: sum },
  ],
  'Qwen-Qwen3-0.6B': [
    { reply: `<think>\n${plan}\n</think>\n\n${sum}`, reasoning: plan, text: sum },
    { reply: sum, text: sum },
  ],
  'Qwen3.5-4B': [
    { after: 'open', reply: `${plan}\n</think>\n\n${sum}`, reasoning: plan, text: sum },
  ],
  'Apertus-8B-Instruct': [
    { reply: `<|inner_prefix|>${plan}<|inner_suffix|>${sum}`, reasoning: plan, text: sum },
    { reply: sum, text: sum },
  ],
  'deepseek-ai-DeepSeek-R1-Distill-Llama-8B': [
    { after: 'open', reply: `${plan}</think>\n${sum}`, reasoning: plan, text: sum },
    { after: 'open', reply: `${plan}</think>${sum}`, reasoning: plan, text: sum },
  ],
  'mistralai-Ministral-3-14B-Reasoning-2512': [
    { reply: sum, text: sum },
    { reply: `[THINK]${plan}[/THINK]${sum}`, reasoning: plan, text: sum },
  ],
  'CohereForAI-c4ai-command-r7b-12-2024-tool_use': [
    { reply: `<|START_RESPONSE|>${sum}<|END_RESPONSE|>`, text: sum },
    {
      reply: `<|START_THINKING|>${plan}<|END_THINKING|><|START_RESPONSE|>${sum}<|END_RESPONSE|>`,
      reasoning: plan,
      text: sum,
    },
  ],
  Cohere2MoE: [
    {
      after: 'open',
      reply: `${plan}<|END_THINKING|><|START_TEXT|>${sum}<|END_TEXT|>`,
      reasoning: plan,
      text: sum,
    },
    { after: 'open', reply: `<|END_THINKING|><|START_TEXT|>${sum}<|END_TEXT|>`, text: sum },
  ],
  'ByteDance-Seed-OSS': [
    { reply: sum, text: sum },
    { reply: `<seed:think>${plan}</seed:think>\n${sum}`, reasoning: plan, text: sum },
  ],
  'ibm-granite-granite-3.3-2B-Instruct': [
    { reply: sum, text: sum },
    { reply: `<think>${plan}</think>${sum}`, reasoning: plan, text: sum },
    // llama-server leaves these tags in the content, as a known gap.
    { reply: `<think>${plan}</think><response>${sum}</response>`, reasoning: plan, text: sum },
  ],
  'google-gemma-4-31B-it': [
    { reply: sum, text: sum },
    { reply: `<|channel>thought\n${plan}<channel|>${sum}`, reasoning: plan, text: sum },
  ],
  'Kimi-K3': [
    {
      after: 'open',
      reply: `${plan}<|close|>think<|sep|><|open|>response<|sep|>${sum}<|close|>response<|sep|><|close|>message<|sep|>`,
      reasoning: plan,
      text: sum,
    },
    {
      after: 'open',
      reply: `${plan}<|close|>think<|sep|><|open|>response<|sep|>${sum}<|close|>response<|sep|><|close|>mes`,
      reasoning: plan,
      text: sum,
    },
    // The prompt has begun the answer.
    {
      after: 'closed',
      reply: `${sum}<|close|>response<|sep|><|close|>message<|sep|>`,
      text: sum,
    },
    // The reader of tool calls gets what may be a call.
    {
      after: 'closed',
      reply: `${sum}<|close|>response<|sep|><|open|>tools<|sep|>`,
      text: `${sum}<|open|>tools<|sep|>`,
    },
  ],
  'openai-gpt-oss-120b': [
    { reply: `<|channel|>final<|message|>${sum}`, text: sum },
    {
      reply: `<|channel|>analysis<|message|>${plan}<|end|><|start|>assistant<|channel|>final<|message|>${sum}`,
      reasoning: plan,
      text: sum,
    },
    {
      reply: `<|channel|>commentary<|message|>${sum}<|end|><|start|>assistant<|channel|>analysis<|message|>${plan}<|end|>`,
      reasoning: plan,
      text: sum,
    },
  ],
}

test.each(Object.entries(splits))('splits replies of %s like llama-server', (name, cases) => {
  const { reasoning } = detectDialect(templateSource(name))
  for (const { after = 'none', reply, reasoning: thought = '', text } of cases) {
    expect(reasoning).toBeDefined()
    if (reasoning === undefined) continue
    const reader = createReasoningReader(reasoning, after)
    const parts = [...Array.from(reply, (character) => reader.push(character, 1)), reader.finish()]
    expect(parts.map((part) => part.reasoning).join('')).toBe(thought)
    expect(parts.map((part) => part.text).join('')).toBe(text)
  }
})

const solarCall =
  '<|tool_calls|><|tool_call:begin|>a1b2c3d4e5<|tool_call:name|>find<|tool_call:args|>{"place": "Bern"}<|tool_call:end|>'

test.each([
  ['', ''],
  [`<|think|>${plan}<|end|><|begin|>assistant`, ''],
  [`<|think|>${plan}<|end|><|begin|>assistant<|content|>${sum}<|end|><|begin|>assistant`, sum],
])('a call of Solar Open leaves no mark in the content after %j', (before, text) => {
  const { reasoning, toolForm } = detectDialect(templateSource('upstage-Solar-Open-100B'))
  const reader = createReasoningReader(reasoning!, 'none')
  const parts = [...Array.from(before + solarCall, (one) => reader.push(one, 1)), reader.finish()]
  const tools = [{ name: 'find', description: undefined, parameters: undefined }]
  const reply = parts.map((part) => part.text).join('')
  expect(readCalls(toolFormOf(toolForm), tools, reply)).toEqual({
    text,
    calls: [{ name: 'find', text: '{"place": "Bern"}' }],
    hasCalled: true,
  })
})
