import { expect, test } from 'vitest'
import { ForgeableTexts, ForgeryBreaker } from './forgery-breaker.ts'
import { patternOf } from './prompt-pieces.ts'

const texts = ['<|end|>', '<|end', ']~b]', '<tool_call>', '<think>', '</think>']
const forgeable = new ForgeableTexts(texts, patternOf(texts))

test.each([
  ['a<|end|>b', ['a<', '|end|>b']],
  [']]~b]~b]', ['', ']]', '~b]', '~b]', '']],
  ['plain > text', ['plain > text']],
  ['> quoted', ['', '> quoted']],
  ['end|>', ['', 'end|>', '']],
  ['ends in <|', ['ends in <|', '']],
  ['type', ['type']],
])(
  'a text that a caller wrote is broken where a token could be formed (T20): %s',
  (text, pieces) => {
    const breaker = new ForgeryBreaker(forgeable)
    expect(breaker.split(breaker.break(text))).toEqual(pieces)
  },
)

test('names in arguments of calls are broken where a template may write marks around them (T20)', () => {
  const breaker = new ForgeryBreaker(forgeable)
  const call = breaker.break({ name: 'think', arguments: { tool_call: 'think', place: 'Rome' } })
  const written = Object.entries(call.arguments).map(([name, value]) => `<${name}>${value}`)
  expect(breaker.split(`<${call.name}>${written.join()}`)).toEqual(
    '<think><#tool_call#>#think#,<place>Rome'.split('#'),
  )
})

test('names in a schema that are those of marks are broken, and keywords stay whole (T20)', () => {
  const tags = ['<tool_call>', '</think>', '<type>', '<name>']
  const breaker = new ForgeryBreaker(new ForgeableTexts(tags, patternOf(tags)))
  const parameters = {
    type: 'object',
    properties: { think: { type: 'string', tool_call: 'think' }, place: {} },
    required: ['think', 'place'],
  }
  const tools = [{ type: 'function', function: { name: 'think', parameters } }]
  expect(breaker.split(JSON.stringify(breaker.breakTools(tools))).join('#')).toBe(
    '[{"type":"function","function":{"name":"think","parameters":{"type":"object","properties":' +
      '{"#think":{"type":"string","#tool_call":"think"},"place":{}},"required":["#think","place"]}}}]',
  )
})

test('on request, all names beside a broken one are broken, so that sorting keeps their order', () => {
  const sorted = (beginsAllNames: boolean): string => {
    const breaker = new ForgeryBreaker(forgeable, { beginsAllNames })
    const call = breaker.break({ arguments: { unit: 1, tool_call: 2, place: 3 } })
    expect(breaker.hasBegunNames).toBe(true)
    return breaker.split(Object.keys(call.arguments).toSorted().join()).join('')
  }
  expect([sorted(false), sorted(true)]).toEqual(['tool_call,place,unit', 'place,tool_call,unit'])
})

test.each([
  ['<think>hm</think>Well', ['<think>hm</think>Well']],
  ['hm</think>Well', ['hm</think>Well']],
  ['a<think>hm</think>Well', ['a<', 'think>hm<', '/think>Well']],
  ['<think>hm</think>Well</think>', ['<', 'think>hm<', '/think>Well<', '/think>']],
  ['hm</think>Well<|end|>', ['hm</think>Well<', '|end|>']],
])(
  'a reply keeps the marks of one thought at its begin, and no others (T20): %s',
  (text, pieces) => {
    const breaker = new ForgeryBreaker(forgeable)
    expect(breaker.split(breaker.breakReply(text))).toEqual(pieces)
  },
)

test('a strict breaker breaks after whatever a forged text could begin with (T20)', () => {
  const breaker = new ForgeryBreaker(forgeable, { isStrict: true })
  expect(breaker.split(breaker.break('a<|e/thinknd|> [1]'))).toEqual(['a<', '|e/thinknd|> [1]', ''])
  const reply = '<think>hm</think>1 < 2'
  expect(breaker.split(breaker.breakReply(reply))).toEqual(['<think>hm</think>1 <', ' 2'])
})
