import { expect, test } from 'vitest'
import { MarkdownWriter, withoutControls } from './markdown.ts'

const [bold, italic, code, dim, off] = [
  '\u001B[1m',
  '\u001B[3m',
  '\u001B[36m',
  '\u001B[2m',
  '\u001B[0m',
]

function shown(text: string, step = text.length || 1): string {
  const writer = new MarkdownWriter()
  let out = ''
  for (let at = 0; at < text.length; at += step) out += writer.write(text.slice(at, at + step))
  return out + writer.end()
}

test('bold, italic, code, headings, lists and quotes are shown with the styles of a terminal', () => {
  expect(shown('a **b** c')).toBe(`a ${bold}b${off} c`)
  expect(shown('*a* and `b*c*`')).toBe(`${italic}a${off} and ${code}b*c*${off}`)
  expect(shown('# Title\ntext')).toBe(`${bold}Title${off}\ntext`)
  expect(shown('- a\n  * b\n1. c')).toBe('• a\n  • b\n1. c')
  expect(shown('> said')).toBe(`${dim}│ ${off}said`)
  expect(shown('**a *b* c**')).toBe(`${bold}a ${italic}b${off}${bold} c${off}`)
})

test('a code block keeps its text as it is', () => {
  expect(shown('```js\nlet a = **b**\n# no\n```\nend')).toBe(
    `${dim}\`\`\`js${off}\n${code}let a = **b**${off}\n${code}# no${off}\n${dim}\`\`\`${off}\nend`,
  )
})

test('stars that are no marks stay', () => {
  expect(shown('2 * 3 = 6 and 2*3')).toBe('2 * 3 = 6 and 2*3')
  expect(shown('snake_case __x__')).toBe('snake_case __x__')
  expect(shown('open ** end')).toBe('open ** end')
  expect(shown('a*')).toBe('a*')
})

test('the same text comes out, however it arrives in pieces', () => {
  const text =
    '# A *b*\n\n- **one** `x`\n- two\n\n```py\nprint("**")\n```\n> q\n2 * 3 *i* ***both*** end **open\nnext'
  for (const step of [1, 2, 3, 7]) expect(shown(text, step)).toBe(shown(text))
})

test('a reply cannot send escape sequences to the terminal', () => {
  expect(withoutControls('a\u001B]0;title\u0007b\u009B31m\r\nc\td\u007F')).toBe(
    'a\uFFFD]0;title\uFFFDb\uFFFD31m\nc\td\uFFFD',
  )
  expect(shown('\u001B[2J')).toBe('\uFFFD[2J')
})
