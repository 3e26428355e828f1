import { expect, test } from 'vitest'
import { Budget } from '../grammar.ts'
import { accepts, complementOf, dfaOfTexts, intersect, longest, sizeOf, unionOf } from './dfa.ts'
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

test('a union has exactly the texts of both automata, and what is on neither side stays so', () => {
  const few = unionOf(dfaOfTexts(['red'], budget), dfaOfTexts(['box', 'red'], budget), budget)
  expect(['red', 'box', 'bed', '', 'redbox'].map((text) => accepts(few, text, budget))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(sizeOf(few, budget)).toBe(2)
  const limited = compilePattern('^x\\-', budget)
  for (const both of [
    unionOf(limited, compilePattern('^😀$', budget), budget),
    unionOf(compilePattern('^😀$', budget), limited, budget),
  ]) {
    const others = complementOf(both, budget)
    const sidesOf = (text: string) => [both, others].map((one) => accepts(one, text, budget))
    expect(sidesOf('x-a')).toEqual([true, false])
    expect(sidesOf('xa')).toEqual([false, true])
    expect(sidesOf('😀')).toEqual([true, false])
    expect(sidesOf('x-😀')).toEqual([false, false])
    expect(sidesOf('x😀')).toEqual([false, false])
  }
})

test('the size counts only texts that are accepted, also beside a loop without an end', () => {
  const either = compilePattern('^(a|b*x)$', budget)
  expect(sizeOf(either, budget)).toBe(Infinity)
  const others = compilePattern('^[^x]*$', budget)
  const only = intersect(either, others, budget)
  expect([sizeOf(only, budget), longest(only, budget)]).toEqual([1, 1])
})
