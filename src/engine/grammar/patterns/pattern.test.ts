import { expect, test } from 'vitest'
import { Budget } from '../grammar.ts'
import { accepts, complementOf } from './dfa.ts'
import { compilePattern } from './pattern.ts'

const budget = new Budget()

/** Returns whether the pattern and its complement accept the text. */
function sides(pattern: string, text: string) {
  const dfa = compilePattern(pattern, budget)
  const others = complementOf(dfa, budget)
  const again = complementOf(others, budget)
  return [dfa, others, again].map((automaton) => accepts(automaton, text, budget))
}

test('a text above U+FFFF is on neither side of a pattern that validators read differently there', () => {
  // A hyphen may be escaped only without the flag `u`.
  expect(sides('^x\\-', 'x-a')).toEqual([true, false, true])
  expect(sides('^x\\-', 'xa')).toEqual([false, true, false])
  expect(sides('^x\\-', 'x-😀')).toEqual([false, false, false])
  expect(sides('^x-', 'x-😀')).toEqual([true, false, true])
  expect(sides('^x-', '😀')).toEqual([false, true, false])
})
