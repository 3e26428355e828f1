import { fc } from '../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { noEnd, StopMatcher } from './stop-matcher.ts'

function run(
  parts: readonly string[],
  stop: readonly string[],
  until = noEnd,
): { text: string; stopped: boolean } {
  const matcher = new StopMatcher(stop, until)
  let text = ''
  for (const part of parts) {
    const pushed = matcher.push(part)
    text += pushed.text
    if (pushed.stopped) return { text, stopped: true }
  }
  const rest = matcher.flush()
  return { text: text + rest.text, stopped: rest.stopped }
}

test('finds a sequence across parts and delivers what comes before it', () => {
  expect(run(['one t', 'w', 'o three'], ['two'])).toEqual({ text: 'one ', stopped: true })
})

test('returns the text held back for a sequence that never came', () => {
  expect(run(['ab', 'ab', 'aba'], ['abc'])).toEqual({ text: 'abababa', stopped: false })
})

test('holds back only text that could begin a sequence', () => {
  const matcher = new StopMatcher(['END'])
  expect(matcher.push('text E').text).toBe('text ')
  expect(matcher.push('N').text).toBe('')
  expect(matcher.push('T').text).toBe('ENT')
})

test('of two sequences the one that ends first wins, the longer one on a tie', () => {
  expect(run(['xabcd'], ['abcd', 'bc'])).toEqual({ text: 'xa', stopped: true })
  expect(run(['xabc'], ['bc', 'abc'])).toEqual({ text: 'x', stopped: true })
})

test('without sequences nothing is held back', () => {
  expect(new StopMatcher([]).push('a')).toEqual({ text: 'a', stopped: false })
  expect(new StopMatcher(['']).push('a')).toEqual({ text: 'a', stopped: false })
})

test('from a text of `until` on, no sequence ends the reply', () => {
  const until = { texts: ['<call>'], isAtStart: false }
  expect(run(['a\n<call>\n'], ['\n'], until)).toEqual({ text: 'a', stopped: true })
  expect(run(['a <ca', 'll>\n<'], ['\n', '<'], until)).toEqual({
    text: 'a <call>\n<',
    stopped: false,
  })
  // The text turns out not to be the mark, so the sequence within it counts after all.
  expect(run(['a <ca', 'b'], ['<'], until)).toEqual({ text: 'a ', stopped: true })
  expect(run(['a <ca'], ['<'], until)).toEqual({ text: 'a ', stopped: true })
  const all = { texts: [''], isAtStart: false }
  expect(run(['a\nb'], ['\n'], all)).toEqual({ text: 'a\nb', stopped: false })
})

test('a text of `until` counts only at the start where nothing else can be a call', () => {
  const until = { texts: ['<call>', '\n<call>'], isAtStart: true }
  const text = '{"a": "<call>", "b": 1}'
  expect(run([text], ['b'], until)).toEqual({ text: '{"a": "<call>", "', stopped: true })
  expect(run(['\n<ca', 'll>b'], ['b', '\n'], until)).toEqual({ text: '\n<call>b', stopped: false })
  expect(run(['<ca', 'b<call>'], ['<'], until)).toEqual({ text: '', stopped: true })
  expect(run(['<ca', 'b<call>.'], ['.'], until)).toEqual({ text: '<cab<call>', stopped: true })
  expect(run(['b'], ['b'], { texts: [''], isAtStart: true })).toEqual({ text: 'b', stopped: false })
})

test('half a character is no stop sequence', () => {
  expect(run(['🐦'], ['\udc26', '\ud83d'])).toEqual({ text: '🐦', stopped: false })
})

test('the result does not depend on where the parts are cut', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '🐦'), maxLength: 40 })
  const stops = fc.array(
    fc.string({ unit: fc.constantFrom('a', 'b', '🐦'), minLength: 1, maxLength: 4 }),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(
      letters,
      stops,
      stops,
      fc.boolean(),
      fc.array(fc.nat(8)),
      (text, stop, texts, isAtStart, cuts) => {
        const until = { texts, isAtStart }
        const chars = text.split('')
        const parts: string[] = []
        for (const size of [...cuts, chars.length]) parts.push(chars.splice(0, size).join(''))
        expect(run(parts, stop, until)).toEqual(run(text.split(''), stop, until))
      },
    ),
  )
})
