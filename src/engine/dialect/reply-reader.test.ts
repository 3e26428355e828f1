import { expect, test } from 'vitest'
import { detectDialect } from './detect-dialect.ts'
import type { ThoughtState } from './dialect.ts'
import { ReplyReader } from './reply-reader.ts'

const tags = "{{ message.content.split('</think>')[-1] }}"
const harmony = '<|start|>assistant<|channel|>analysis<|message|>'
const commandR = '<|START_THINKING|><|END_THINKING|>'

/** Returns the text of a reply, and the tokens whose entries belong to it. */
function read(template: string, tokens: readonly string[], thought: ThoughtState = 'none') {
  const { reasoning } = detectDialect(template)
  const reader = new ReplyReader<string>([], { reasoning, thought })
  const parts = [...tokens.map((token) => reader.push(token, [token])), reader.finish()]
  return {
    text: parts.map((part) => part.text).join(''),
    entries: parts.flatMap((part) => part.entries ?? []),
  }
}

test.each<[string, string, string[], string[], ThoughtState?]>([
  ['white space after a thought', tags, ['</think>', '\n\n', 'It', ' is'], ['It', ' is'], 'open'],
  ['white space of a token of text', tags, ['</think>', '\n', '\n4', '.'], ['\n4', '.'], 'open'],
  ['a mark of several tokens', tags, ['<', 'think', '>', 'a', '</', 'think', '>b'], ['>b']],
  ['what may be a mark and is none', tags, ['<', 'th', 'e', '>'], ['<', 'th', 'e', '>']],
  ['the start of a mark at the end', tags, ['<', 'thi'], ['<', 'thi']],
  ['a character of two tokens', tags, ['</think>', '\n', '', 'é', '!'], ['', 'é', '!'], 'open'],
  ['an answer that is cut in a character', tags, ['a', ''], ['a', ''], 'closed'],
  [
    'channels',
    harmony,
    ['<|channel|>', 'analysis', '<|message|>', 'a', '<|end|>', '<|start|>', 'assistant'].concat([
      '<|channel|>',
      'final',
      '<|message|>',
      'b',
      ' c',
      '<|end|>',
    ]),
    ['b', ' c'],
  ],
  [
    'marks around the answer',
    commandR,
    [
      '<|START_THINKING|>',
      'a',
      '<|END_THINKING|>',
      '<|START_',
      'RESPONSE|>',
      'b',
      '<|END_RESPONSE|>',
    ],
    ['b'],
  ],
  ['no thought', '', ['<', 'think', '>', ' a'], ['<', 'think', '>', ' a']],
])('entries are those of the content: %s', (_, template, tokens, kept, thought) => {
  const { text, entries } = read(template, tokens, thought)
  expect(entries).toEqual(kept)
  expect(text.trim()).toBe(kept.join('').replace('>b', 'b').trim())
})

test('an entry comes with the text of its token', () => {
  const reader = new ReplyReader<string>([], {
    reasoning: detectDialect(tags).reasoning,
    thought: 'open',
  })
  expect(reader.push('</think>', ['1']).entries).toEqual([])
  expect(reader.push('\n', ['2']).entries).toEqual([])
  expect(reader.push('a', ['3'])).toMatchObject({ text: 'a', entries: ['3'] })
  expect(reader.push('b')).not.toHaveProperty('entries')
})

test('a stop sequence that is found only at the end ends the reply, too', () => {
  // Until the end, this may be the start of a thought.
  const reader = new ReplyReader(['<'], { reasoning: detectDialect(tags).reasoning })
  expect(reader.push('<')).toMatchObject({ text: '', stopped: false })
  expect(reader.finish()).toMatchObject({ text: '', stopped: true })
})
