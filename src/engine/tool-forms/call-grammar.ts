import type { GrammarBuilder, State } from '../grammar/grammar.ts'
import { alternativesOf, type Mark } from './tool-form.ts'

/**
 * Adds the texts of a mark. If it has no alternatives, its `#` stands for one or two digits, and its `*` for an id of
 * nine letters or digits. Returns the state after the mark.
 */
export function addMark(grammar: GrammarBuilder, from: State, mark: Mark): State {
  const [first = '', ...others] = alternativesOf(mark)
  if (others.length > 0) {
    const to = grammar.state()
    grammar.anyText(from, [first, ...others], to)
    return to
  }
  let at = from
  for (const part of first.split(/([#*])/)) {
    if (part === '#') at = addNumber(grammar, at)
    else if (part === '*') for (let count = 0; count < 9; count++) at = addAlphanumeric(grammar, at)
    else at = grammar.text(at, part)
  }
  return at
}

function addNumber(grammar: GrammarBuilder, from: State): State {
  const [one, to] = [grammar.state(), grammar.state()]
  grammar.bytes(from, 0x30, 0x39, one)
  grammar.skip(one, to)
  grammar.bytes(one, 0x30, 0x39, to)
  return to
}

function addAlphanumeric(grammar: GrammarBuilder, from: State): State {
  const to = grammar.state()
  for (const [first, last] of [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x61, 0x7a],
  ] as const)
    grammar.bytes(from, first, last, to)
  return to
}
