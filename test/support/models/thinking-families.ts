import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.ts'
import type { GenerationOptions, TemplateVariables } from '../../../src/engine/engine.ts'
import type { ReplyFormat } from '../../../src/engine/reply-format.ts'
import { startEngine } from '../engine/engine-fixtures.ts'
import { combinedGguf, tokensOf } from './combined-gguf.ts'
import { templateSource } from './release-files.ts'

type ThinkingFamily = {
  template: string
  /** Tokens that the family's template needs. Those in `begin` begin a thought. */
  begin: string[]
  others: string[]
  /** State of the reply after the prompt, with thoughts on and off. */
  states: [on: string, off: string]
  variables?: TemplateVariables
}

const chatMl = ['<|im_start|>', '<|im_end|>']
const deepseek = [
  '<｜begin▁of▁sentence｜>',
  '<｜end▁of▁sentence｜>',
  '<｜User｜>',
  '<｜Assistant｜>',
]
export const thinkingFamilies = {
  'Qwen 3': {
    template: 'Qwen-Qwen3-0.6B',
    begin: ['<think>'],
    others: ['</think>', ...chatMl],
    states: ['none', 'closed'],
  },
  'Qwen 3.5': {
    template: 'Qwen3.5-4B',
    begin: ['<think>'],
    others: ['</think>', ...chatMl],
    states: ['open', 'closed'],
  },
  'DeepSeek R1 distill': {
    template: 'deepseek-ai-DeepSeek-R1-Distill-Qwen-32B',
    begin: ['<think>'],
    others: ['</think>', ...deepseek],
    states: ['open', 'closed'],
  },
  'Ministral 3': {
    template: 'mistralai-Ministral-3-14B-Reasoning-2512',
    begin: ['[THINK]'],
    others: ['[/THINK]', '[INST]', '[/INST]', '[SYSTEM_PROMPT]', '[/SYSTEM_PROMPT]'],
    states: ['none', 'none'],
  },
  'Command R7B': {
    template: 'CohereForAI-c4ai-command-r7b-12-2024-tool_use',
    begin: ['<|START_THINKING|>'],
    others: [
      '<|END_THINKING|>',
      '<|START_OF_TURN_TOKEN|>',
      '<|END_OF_TURN_TOKEN|>',
      '<|START_RESPONSE|>',
      '<|END_RESPONSE|>',
    ],
    states: ['none', 'closed'],
  },
  'Gemma 4': {
    template: 'google-gemma-4-31B-it',
    begin: ['<|channel>', 'thought'],
    others: ['<channel|>', '<|turn>', '<turn|>'],
    states: ['none', 'closed'],
  },
  'Granite 3.3': {
    template: 'ibm-granite-granite-3.3-2B-Instruct',
    begin: ['<think>'],
    others: ['</think>', '<response>', '</response>', '<|start_of_role|>', '<|end_of_role|>'],
    states: ['none', 'none'],
  },
  'gpt-oss (Harmony)': {
    template: 'openai-gpt-oss-120b',
    begin: ['<|channel|>', 'analysis', '<|message|>'],
    others: ['<|start|>', '<|end|>', '<|return|>', '<|call|>', '<|constrain|>', 'final'],
    states: ['none', 'none'],
    variables: { reasoning_effort: 'low' },
  },
} satisfies Record<string, ThinkingFamily>

const answer: ReplyFormat = {
  type: 'json_schema',
  schema: '{"enum":["a short answer","another one"]}',
  at: 'response_format.json_schema.schema',
}

/**
 * Checks with a random model of the family that thoughts are separated, end in time, and need not follow the response
 * format.
 */
export async function checkThoughts(family: ThinkingFamily, folder: string): Promise<void> {
  const words = [...family.begin, ...family.others]
  const ordinary = tokensOf('gpt-2')
  const special = words.filter((text) => !ordinary.includes(text))
  const ids = [...ordinary, ...special]
  const chatTemplate = templateSource(family.template)
  const tokens = Object.fromEntries(special.map((text) => [text, 'control' as const]))
  const modelPath = join(folder, `${family.template}.gguf`)
  writeFileSync(
    modelPath,
    combinedGguf({ vocabulary: 'gpt-2', chatTemplate, tokens, weights: { contextTokens } }),
  )
  const engine = await startEngine({ modelPath, slots: 1, contextTokens })
  try {
    const { variables = {} } = family
    const closed = { ...variables, enable_thinking: false }
    expect([await stateOf(engine, variables), await stateOf(engine, closed)]).toEqual(family.states)

    // The bias makes the random model begin a thought, whose text is nonsense.
    const logitBias = family.begin.map((text): [number, number] => [ids.indexOf(text), 100])
    const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1, logitBias }
    const options = { sampling, variables, maxTokens: 120, format: answer }
    const reply = await generate(engine, { ...options, topLogprobs: 0 })
    expect(reply).toMatchObject({ reason: 'stop', text: expect.stringMatching(answerText) })
    expect(reply.reasoning).not.toBe('')
    expect(reply.tokens.join('')).toBe(reply.text)
    // Counts the thought and the marks around it.
    expect(reply.reasoningTokens).toBeGreaterThanOrEqual(90)
    expect(reply.reasoningTokens).toBeLessThan(110)

    const short = await generate(engine, { ...options, thinkingTokensMax: 10 })
    expect(short.reasoningTokens).toBeLessThan(30)
    expect(short.text).toMatch(answerText)

    const unlimited = await generate(engine, { ...options, thinkingTokensMax: -1 })
    expect(unlimited).toMatchObject({ reason: 'length', text: '', reasoningTokens: 120 })

    await checkStopToken(engine, options, [...ids.keys()])

    await checkCompleteAnswers(engine, options)

    await checkManyThoughts(engine, options, ids.indexOf('<|end|>'))

    // The first token is chosen where a thought may begin, too. Here it decides how long the answer is.
    if (family.begin.length === 1) {
      const logitBias: [number, number][] = [[ids.indexOf('1'), 100]]
      const format = { ...answer, schema: '{"enum":[7,1234567890123456]}' }
      const limits = { maxTokens: 4, thinkingTokensMax: 0, completesFormat: true }
      const biased = { ...options, ...limits, format, sampling: { ...sampling, logitBias } }
      expect((await generate(engine, biased)).text).toBe('7')
    }

    // Without a format the same holds, if one token is enough to begin the thought.
    if (family.begin.length === 1) {
      const free = await generate(engine, { sampling, variables, maxTokens: 60 })
      expect(free.reason).toBe('length')
      expect(free.reasoningTokens).toBeGreaterThanOrEqual(45)
      expect(free.reasoningTokens).toBeLessThan(60)
      expect(free.text).not.toBe('')
    }

    // After a prompt that has already ended the thought, the reply has only the answer.
    if (family.states[1] !== 'closed') return
    const plain = await generate(engine, { ...options, variables: closed })
    expect(plain).toMatchObject({ reasoning: '', text: expect.stringMatching(answerText) })
  } finally {
    await engine.close()
  }
}

/** Checks that a stop token within a thought counts as one of its tokens. */
async function checkStopToken(
  engine: EmbeddedEngine,
  options: Parameters<typeof generate>[1],
  ids: readonly number[],
): Promise<void> {
  const { logitBias = [] } = options.sampling
  const stopTokens = ids.filter((id) => !logitBias.some(([begin]) => begin === id))
  const cut = await generate(engine, { ...options, stopTokens })
  expect(cut).toMatchObject({ reason: 'stop', text: '', reasoningTokens: cut.completionTokens })
}

/** Checks that the answer is complete within `maxTokens`, whatever limit the thought has. */
async function checkCompleteAnswers(
  engine: EmbeddedEngine,
  options: Parameters<typeof generate>[1],
): Promise<void> {
  for (const maxTokens of [30, 40, 60])
    for (const thinkingTokensMax of [undefined, -1, 50]) {
      const limits = { maxTokens, thinkingTokensMax, completesFormat: true }
      const { text, reasoning } = await generate(engine, { ...options, ...limits })
      expect(text, `${maxTokens} tokens, thought of at most ${thinkingTokensMax}`).toMatch(
        answerText,
      )
      expect(reasoning).not.toBe('')
    }
}

/** Checks that a Harmony reply with many thoughts has room for its answer. The bias ends each thought at once. */
async function checkManyThoughts(
  engine: EmbeddedEngine,
  options: Parameters<typeof generate>[1],
  end: number,
): Promise<void> {
  if (end === -1) return
  const { sampling } = options
  const logitBias = [...(sampling.logitBias ?? []), [end, 200] as const]
  const limits = { maxTokens: 60, thinkingTokensMax: -1, completesFormat: true }
  const biased = { ...options, ...limits, sampling: { ...sampling, logitBias } }
  expect((await generate(engine, biased)).text).toMatch(answerText)
}

/** Some templates write long instructions. */
const contextTokens = 4096

const answerText = /^"(a short answer|another one)"$/

const messages = [{ role: 'user', content: 'Hello' }] as const

async function stateOf(engine: EmbeddedEngine, variables: TemplateVariables) {
  return (await engine.prepare(messages, new AbortController().signal, { variables })).thought
}

async function generate(
  engine: EmbeddedEngine,
  options: Partial<GenerationOptions> & Pick<GenerationOptions, 'sampling' | 'maxTokens'>,
) {
  const { signal } = new AbortController()
  const prompt = await engine.prepare(messages, signal, options)
  const tokens: string[] = []
  const reply = {
    text: '',
    reasoning: '',
    reasoningTokens: 0,
    completionTokens: 0,
    reason: '',
    tokens,
  }
  const request = { stop: [], ...options, prompt, cacheScope: 'a' }
  for await (const event of engine.generate(request, signal)) {
    if (event.type === 'finish') {
      reply.reason = event.reason
      reply.completionTokens = event.completionTokens
    } else {
      reply.text += event.text
      reply.reasoning += event.reasoning ?? ''
      reply.reasoningTokens += event.reasoningTokens ?? 0
      tokens.push(...(event.logprobs ?? []).map(({ text }) => text))
    }
  }
  return reply
}
