import { describe, expect, test } from 'vitest'
import { templateSource } from '../../../../../test/support/models/release-files.ts'
import type { ChatMessage } from '../../../engine.ts'
import { PromptRenderer } from './prompt-pieces.ts'
import { ThoughtMembers } from './thought-members.ts'

const specials = ['<think>', '</think>', '<|assistant|>', '<role>', '</role>', '<tool_call>']

/** Renders a reply with a call from its content on. Each special token stands between « and ». */
function written(template: string, content: string): string {
  const renderer = new PromptRenderer({
    source: templateSource(template),
    constants: { bos_token: '', eos_token: '' },
    specialTexts: new Map(specials.map((text, token) => [text, token])),
    controlTexts: [],
  })
  const call = { id: 'a', name: 'find', arguments: '{}' }
  const messages: ChatMessage[] = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content, toolCalls: [call] },
    { role: 'tool', content: 'B', toolCallId: 'a' },
  ]
  const prompt = renderer
    .render(messages, [])
    .map((piece) => ('token' in piece ? `«${specials[piece.token]}»` : piece.text))
    .join('')
  return prompt.slice(prompt.indexOf('Hi') + 'Hi'.length, prompt.indexOf('«<tool_call>»'))
}

describe('a thought in the content is written once, with the marks of the model', () => {
  test.each([
    ['GLM-4.6', '«<|assistant|>»\n«<think>»hm«</think>»\nLet me look\n'],
    ['GLM-4.7-Flash', '«<|assistant|>»«<think>»hm«</think>»Let me look'],
    [
      'inclusionai-ling-3.0-flash',
      '<|role_end|>«<role>»ASSISTANT«</role>»\n«<think>»hm«</think>»Let me look\n',
    ],
    [
      'Qwen-Qwen3-0.6B',
      '<|im_end|>\n<|im_start|>assistant\n«<think>»\nhm\n«</think>»\n\nLet me look\n',
    ],
  ])('%s', (template, expected) => {
    for (const content of ['<think>hm</think>Let me look', 'hm\n</think>\n\nLet me look'])
      expect(written(template, content)).toBe(expected)
  })

  test('and its text stays text (T20)', () => {
    expect(written('GLM-4.6', '<think><|assistant|></think><|assistant|> look')).toBe(
      '«<|assistant|>»\n«<think>»<|assistant|>«</think>»\n<|assistant|> look\n',
    )
  })
})

test.each([
  ['Cohere2MoE', 'tool_plan'],
  ['unsloth-Apriel-1.5', 'thought'],
  ['Qwen-Qwen3-0.6B', 'reasoning_content'],
])('%s gets an earlier thought as %s', (template, name) => {
  const members = new ThoughtMembers(templateSource(template))
  expect(members.of({ role: 'assistant', content: '', reasoning: 'hm' })).toMatchObject({
    [name]: 'hm',
  })
})
