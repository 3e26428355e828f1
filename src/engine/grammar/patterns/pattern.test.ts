import { expect, test } from 'vitest'
import { Budget } from '../grammar.ts'
import {
  accepts,
  complementOf,
  dfaOfTexts,
  intersect,
  longest,
  PatternRefused,
  sizeOf,
  unionOf,
} from './dfa.ts'
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

/** Parts of a character class. All lists of up to four of them are tried. */
const classParts = ['a', 'z', '-', '\\d', '\\ud800', '\\uffff', '\\0']
const characters = ['-', 'a', 'b', 'q', 'z', '5', 's', ' ', '\0', '\ud7ff', '\ue000', '\uffff']

test('a class has the same characters as in RegExp, or is refused', () => {
  const wrong: string[] = []
  let compiled = 0
  for (const parts of [...listsOf(classParts, 4), '\\d-a-z', '\\s-a-z', '\\W-\\S-a'])
    for (const pattern of [`^[${parts}]$`, `^[^${parts}]$`]) {
      const dfa = compiledIfValid(pattern)
      if (dfa === undefined) continue
      compiled += 1
      const expression = new RegExp(pattern, isValidWith(pattern, 'u') ? 'u' : '')
      for (const character of characters)
        if (accepts(dfa, character, budget) !== expression.test(character))
          wrong.push(`${pattern} ${JSON.stringify(character)}`)
    }
  expect(wrong.slice(0, 20)).toEqual([])
  expect(compiled).toBeGreaterThan(2000)
})

test('surrogates are never characters, and octal escapes are refused', () => {
  const matches = (pattern: string, text: string) =>
    accepts(compilePattern(pattern, budget), text, budget)
  expect(matches('^[\\ud800-\\udbff][\\udc00-\\udfff]$', '--')).toBe(false)
  expect(matches('^[\\ud800-\\uffff]$', '\ue000')).toBe(true)
  expect(matches('^[^\\ud800-\\udfff]+$', 'a-b😀')).toBe(true)
  expect(matches('^[\\ud83d\\ude00-\\ud83d\\ude02]$', '😁')).toBe(true)
  for (const pattern of ['^\\01$', '^[\\07]$', '^[a\\00-z]$'])
    expect(() => compilePattern(pattern, budget)).toThrow(PatternRefused)
})

function* listsOf(parts: readonly string[], longest: number): Generator<string> {
  if (longest === 0) return
  for (const part of parts) {
    yield part
    for (const more of listsOf(parts, longest - 1)) yield part + more
  }
}

function isValidWith(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}

/** Returns undefined for a pattern that is invalid or refused. */
function compiledIfValid(pattern: string) {
  try {
    return compilePattern(pattern, new Budget())
  } catch (error) {
    if (error instanceof PatternRefused) return undefined
    throw error
  }
}
