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

/**
 * Adds any bytes up to and including the first occurrence of a mark, which leads to `to`. With `end` the text may also
 * end without a mark. Marks in `first` count only at the start. No mark may occur within another one.
 */
export function addTextUntil(
  grammar: GrammarBuilder,
  from: State,
  { marks, first = [], end }: Until,
  to: State,
): void {
  const root: Node = { state: grammar.state(), next: new Map(), shorter: undefined }
  const start: Node = { state: from, next: new Map(), shorter: root }
  for (const text of marks) addToTree(grammar, root, [...Buffer.from(text)], to)
  for (const text of first) addToTree(grammar, start, [...Buffer.from(text)], to)
  const nodes = [start, root]
  // `nodes` grows during this loop, in ascending order of text length.
  for (const node of nodes) {
    if (end !== undefined) grammar.skip(node.state, end)
    for (const [byte, child] of node.next) {
      if (child.state === to) continue
      child.shorter = stepOf(node.shorter, byte) ?? root
      nodes.push(child)
    }
    addMoves(grammar, node, root)
  }
}

type Until = {
  readonly marks: readonly string[]
  readonly first?: readonly string[]
  readonly end?: State
}

/** Trie node: a prefix of marks that has been read. */
type Node = {
  readonly state: State
  readonly next: Map<number, Node>
  /** Failure link (Aho-Corasick): the longest proper suffix of this prefix that is also a prefix of a mark. */
  shorter: Node | undefined
}

function addToTree(grammar: GrammarBuilder, root: Node, bytes: readonly number[], to: State): void {
  let node = root
  for (const [index, byte] of bytes.entries()) {
    const state = index === bytes.length - 1 ? to : undefined
    const next = node.next.get(byte) ?? {
      state: state ?? grammar.state(),
      next: new Map<number, Node>(),
      shorter: undefined,
    }
    node.next.set(byte, next)
    node = next
  }
}

/** Returns the node that a byte leads to, following failure links as needed; undefined if there is none. */
function stepOf(node: Node | undefined, byte: number): Node | undefined {
  let at = node
  while (at !== undefined && !at.next.has(byte)) at = at.shorter
  return at?.next.get(byte)
}

/** Adds an edge for every byte. The edge leads to the longest prefix of a mark with which the text then ends. */
function addMoves(grammar: GrammarBuilder, node: Node, root: Node): void {
  const bytes = new Set<number>()
  for (let at: Node | undefined = node; at !== undefined; at = at.shorter)
    for (const byte of at.next.keys()) bytes.add(byte)
  let next = 0
  for (const byte of [...bytes].toSorted((a, b) => a - b)) {
    if (next < byte) grammar.bytes(node.state, next, byte - 1, root.state)
    grammar.bytes(node.state, byte, byte, stepOf(node, byte)?.state ?? root.state)
    next = byte + 1
  }
  if (next < 256) grammar.bytes(node.state, next, 255, root.state)
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
