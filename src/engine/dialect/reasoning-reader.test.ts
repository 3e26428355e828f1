import { expect, test, vi } from 'vitest'
import { detectDialect } from './detect-dialect.ts'
import type { ThoughtState } from './dialect.ts'
import { createReasoningReader } from './reasoning-reader.ts'

type Case = {
  /** Source of the chat template from which the form is detected. */
  template: string
  thought?: ThoughtState
  isFormatted?: boolean
  readsCalls?: boolean
  /** True if the reply was cut at its limit. */
  isCut?: boolean
  reply: string
  reasoning: string
  text: string
}

const tags = "{{ message.content.split('</think>')[-1] }}"
const harmony = '<|start|>assistant<|channel|>analysis<|message|>'
const granite = 'thoughts between <think></think> and your response between <response></response>'
const solar = '<|begin|>assistant<|think|><|end|><|content|>'

const cases: Record<string, Case> = {
  'think tags': {
    template: tags,
    reply: '<think>\nTwo and two.\nIs four.\n</think>\n\nIt is 4.\n',
    reasoning: 'Two and two.\nIs four.',
    text: 'It is 4.\n',
  },
  'a think tag that the prompt has begun': {
    template: tags,
    thought: 'open',
    reply: 'Two and two.\n</think>\nIt is 4.',
    reasoning: 'Two and two.',
    text: 'It is 4.',
  },
  'a think tag that the prompt and the model begin': {
    template: tags,
    thought: 'open',
    reply: '<think>\nTwo and two.\n</think>\nIt is 4.',
    reasoning: 'Two and two.',
    text: 'It is 4.',
  },
  'no thought': {
    template: tags,
    reply: ' It is <b>4</b>.',
    reasoning: '',
    text: ' It is <b>4</b>.',
  },
  'tags in an answer': {
    template: tags,
    thought: 'closed',
    reply: 'Write <think>…</think>.',
    reasoning: '',
    text: 'Write <think>…</think>.',
  },
  'a thought that does not end': {
    template: tags,
    reply: '<think>Two </thin',
    reasoning: 'Two </thin',
    text: '',
  },
  'an empty thought': {
    template: tags,
    reply: '<think>\n\n</think>\n\nHi',
    reasoning: '',
    text: 'Hi',
  },
  Mistral: {
    template: '[THINK][/THINK]',
    reply: '[THINK]I am\nthinking[/THINK]Hello!',
    reasoning: 'I am\nthinking',
    text: 'Hello!',
  },
  'Seed-OSS': {
    template: '<seed:think></seed:think>',
    reply: '<seed:think>Hm.</seed:think>\nHello!',
    reasoning: 'Hm.',
    text: 'Hello!',
  },
  'Command R7B': {
    template: '<|START_THINKING|><|END_THINKING|>',
    reply: '<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Hello!<|END_RESPONSE|>',
    reasoning: 'Hm.',
    text: 'Hello!',
  },
  'Granite 3.3': {
    template: granite,
    reply: '<think>Hm.</think><response>Hello!</response>',
    reasoning: 'Hm.',
    text: 'Hello!',
  },
  'Gemma 4': {
    template: '<|channel>thought\n<channel|>',
    reply: '<|channel>thought\nHm.\n<channel|>Hello!',
    reasoning: 'Hm.',
    text: 'Hello!',
  },
  'Solar Open': {
    template: solar,
    reply: '<|think|>Hm.<|end|><|begin|>assistant<|content|>Hello!<|end|>',
    reasoning: 'Hm.',
    text: 'Hello!',
  },
  Muse: {
    template: '<|start|>assistant to=self<|message|><|eom|>',
    reply: ' to=self<|message|>Hm.<|eom|><|start|>assistant<|message|>Hello!',
    reasoning: 'Hm.',
    text: 'Hello!',
  },
  'the mark of an answer that is cut': {
    template: granite,
    isCut: true,
    reply: '<think>Hm.</think>\n<resp',
    reasoning: 'Hm.',
    text: '',
  },
  'the mark of an answer that is cut, without a thought': {
    template: granite,
    isCut: true,
    reply: '<resp',
    reasoning: '',
    text: '',
  },
  'a text that ends like the mark of an answer begins': {
    template: granite,
    reply: '<think>Hm.</think><resp',
    reasoning: 'Hm.',
    text: '<resp',
  },
  'a cut answer that ends like a mark begins': {
    template: granite,
    isCut: true,
    reply: '<think>Hm.</think>Write <resp',
    reasoning: 'Hm.',
    text: 'Write <resp',
  },
  'a cut answer of a model without marks around it': {
    template: tags,
    isCut: true,
    reply: '<think>Hm.</think><resp',
    reasoning: 'Hm.',
    text: '<resp',
  },
  Harmony: {
    template: harmony,
    reply:
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello!',
    reasoning: 'Hm.',
    text: 'Hello!',
  },
  'Harmony without a thought': {
    template: harmony,
    reply: '<|channel|>final<|message|>Hello!',
    reasoning: '',
    text: 'Hello!',
  },
  'Harmony with a preamble and two thoughts': {
    template: harmony,
    reply:
      '<|channel|>analysis<|message|>One.<|end|><|start|>assistant<|channel|>commentary<|message|>Let me see. <|end|>' +
      '<|start|>assistant<|channel|>analysis<|message|>Two.<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{}',
    reasoning: 'One.\nTwo.',
    text: 'Let me see. \n{}',
  },
  'Harmony with marks in JSON': {
    template: harmony,
    isFormatted: true,
    reply:
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>' +
      '{"text":"<|end|><|start|>assistant<|channel|>analysis<|message|>x"}',
    reasoning: 'Hm.',
    text: '{"text":"<|end|><|start|>assistant<|channel|>analysis<|message|>x"}',
  },
  'marks in JSON between response tags': {
    template: granite,
    isFormatted: true,
    reply: '<think>Hm.</think><response>{"xml":"<response>a</response>"}',
    reasoning: 'Hm.',
    text: '{"xml":"<response>a</response>"}',
  },
  'Harmony with a call': {
    template: harmony,
    reply:
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a":1}',
    reasoning: 'Hm.',
    text: '<|start|>assistant<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a":1}',
  },
  'Harmony cut off in a header': {
    template: harmony,
    reply: '<|channel|>analysis<|message|>Hm.<|end|><|start|>assi',
    reasoning: 'Hm.',
    text: '',
  },
  'Harmony with a call though no tools were given': {
    template: harmony,
    readsCalls: false,
    reply:
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a":1}',
    reasoning: 'Hm.',
    text: '{"a":1}',
  },
  'Harmony with plain text': { template: harmony, reply: 'Hello!', reasoning: '', text: 'Hello!' },
  'Harmony with a single character that begins a mark': {
    template: harmony,
    reply: '<',
    reasoning: '',
    text: '<',
  },
  'Harmony without a header after a thought': {
    template: harmony,
    reply: '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant{"a":1}',
    reasoning: 'Hm.',
    text: '{"a":1}',
  },
  'Harmony with marks in JSON without a header': {
    template: harmony,
    isFormatted: true,
    reply: '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant{"a":"<|end|><|message|>"}',
    reasoning: 'Hm.',
    text: '{"a":"<|end|><|message|>"}',
  },
  'Harmony with white space in a header, and then without one': {
    template: harmony,
    reply:
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant <|channel|>commentary<|message|>So.<|end|>' +
      '<|start|>assistant\n to whom?',
    reasoning: 'Hm.',
    text: 'So.\nto whom?',
  },
  'Harmony with plain text like a header': {
    template: harmony,
    reply: 'to=5 is <|channel|>',
    reasoning: '',
    text: 'to=5 is <|channel|>',
  },
  'Harmony cut off without a header': {
    template: harmony,
    isCut: true,
    reply: '<|start|>assistant{"a":',
    reasoning: '',
    text: '{"a":',
  },
  'Harmony without the mark before the answer': {
    template: harmony,
    reply:
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final Hello to you.',
    reasoning: 'Hm.',
    text: 'Hello to you.',
  },
  'Harmony without the mark before a longer answer': {
    template: harmony,
    reply: `<|channel|>final <|constrain|>json${' "a"'.repeat(200)}`,
    reasoning: '',
    text: ' "a"'.repeat(200).trim(),
  },
  'Harmony without the mark before a thought': {
    template: harmony,
    reply: '<|channel|>analysis Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello!',
    reasoning: 'Hm.',
    text: 'Hello!',
  },
  'Harmony cut off after the name of a channel': {
    template: harmony,
    isCut: true,
    reply: '<|channel|>commentary to=functions.add js',
    reasoning: '',
    text: '',
  },
}

test.each(Object.entries(cases))(
  'separates thought and answer: %s',
  (_, { template, ...given }) => {
    const { reasoning } = detectDialect(template)
    expect(reasoning).toBeDefined()
    if (reasoning === undefined) return
    for (const width of [1, 2, 3, 7, 1000]) {
      const { thought = 'none', isFormatted, readsCalls, isCut } = given
      const reader = createReasoningReader(reasoning, thought, isFormatted, readsCalls)
      const parts = chunksOf(given.reply, width).map((chunk) => reader.push(chunk, 1))
      parts.push(reader.finish(isCut))
      expect(parts.map((part) => part.reasoning).join('')).toBe(given.reasoning)
      expect(parts.map((part) => part.text).join('')).toBe(given.text)
    }
  },
)

test('counts the tokens of a thought and of its marks', () => {
  const { reasoning } = detectDialect(tags)
  if (reasoning === undefined) throw new Error('no thoughts')
  const count = (tokens: string[], thought: ThoughtState) => {
    const reader = createReasoningReader(reasoning, thought)
    return tokens.reduce((sum, token) => sum + reader.push(token, 1).reasoningTokens, 0)
  }
  expect(
    count(['<', 'think', '>', '\n', 'Two', '.', '</', 'think', '>', '\n\n', '4'], 'none'),
  ).toBe(9)
  expect(count(['Two', '.', '</think>', '4'], 'open')).toBe(3)
  expect(count(['<', 'b', '>', '4'], 'none')).toBe(0)
})

test('delays ordinary text by no more than the possible begin of a mark', () => {
  const { reasoning } = detectDialect(tags)
  if (reasoning === undefined) throw new Error('no thoughts')
  const reader = createReasoningReader(reasoning, 'open')
  expect(reader.push('Two', 1).reasoning).toBe('Two')
  expect(reader.push(' <b', 1).reasoning).toBe(' <b')
  expect(reader.push(' </th', 1).reasoning).toBe('')
  expect(reader.push('ree', 1).reasoning).toBe(' </three')
  reader.push('</think>', 1)
  expect(reader.push('<', 1).text).toBe('<')
})

test.each([
  ['before a thought', '', '<think>Two.</think>4', 'Two.', '4'],
  ['before an answer', '', 'It is 4.', '', `${' '.repeat(16_384)}It is 4.`],
  ['in a thought', '<think>Two', '.</think>4', `Two${' '.repeat(16_384)}.`, '4'],
])('reads each piece of much white space once: %s', (_, begin, end, reasoning, text) => {
  const { reasoning: form } = detectDialect(tags)
  if (form === undefined) throw new Error('no thoughts')
  const reader = createReasoningReader(form, 'none')
  const parts = [reader.push(begin, 1)]
  const trims = (['trim', 'trimStart', 'trimEnd'] as const).map((name) =>
    vi.spyOn(String.prototype, name),
  )
  for (let piece = 0; piece < 256; piece++) parts.push(reader.push(' '.repeat(64), 1))
  const read = trims.flatMap(({ mock }) => mock.contexts).map((one) => String(one).length)
  for (const trim of trims) trim.mockRestore()
  expect(read.reduce((sum, length) => sum + length, 0)).toBeLessThan(4 * 16_384)
  parts.push(reader.push(end, 1), reader.finish())
  expect(parts.map((part) => part.reasoning).join('')).toBe(reasoning)
  expect(parts.map((part) => part.text).join('')).toBe(text)
})

const long = ' '.repeat(20_000)

test.each<[string, ThoughtState, string, string, string]>([
  ['before a thought', 'none', `${long}<think>Two.</think>4`, '', `${long}<think>Two.</think>4`],
  ['before a repeated mark', 'open', `${long}<think>Two.</think>4`, '<think>Two.', '4'],
  ['in a thought', 'open', `Two${long}.</think>4`, `Two${long}.`, '4'],
  ['at the end of a thought', 'open', `Two${long}</think>4`, `Two${long}`, '4'],
  ['after a thought', 'open', `Two</think>${long}4`, 'Two', '4'],
])('reads white space that is too long to hold back: %s', (_, thought, reply, reasoning, text) => {
  const { reasoning: form } = detectDialect(tags)
  if (form === undefined) throw new Error('no thoughts')
  for (const width of [1, 64, 16_384, reply.length]) {
    const reader = createReasoningReader(form, thought)
    const parts = chunksOf(reply, width).map((chunk) => reader.push(chunk, 1))
    parts.push(reader.finish())
    expect(parts.map((part) => part.reasoning).join('') === reasoning).toBe(true)
    expect(parts.map((part) => part.text).join('') === text).toBe(true)
  }
})

test('holds back no more white space than its limit', () => {
  const { reasoning } = detectDialect(tags)
  if (reasoning === undefined) throw new Error('no thoughts')
  const answer = createReasoningReader(reasoning, 'none')
  const thought = createReasoningReader(reasoning, 'open')
  thought.push('Two', 1)
  const delivered = (spaces: number) => [
    answer.push(' '.repeat(spaces), 1).text.length,
    thought.push(' '.repeat(spaces), 1).reasoning.length,
  ]
  expect(delivered(16_384)).toEqual([0, 0])
  expect(delivered(1)).toEqual([16_385, 16_385])
  expect(delivered(1)).toEqual([1, 1])
})

function chunksOf(text: string, width: number): string[] {
  const chunks: string[] = []
  for (let at = 0; at < text.length; at += width) chunks.push(text.slice(at, at + width))
  return chunks
}
