import type { GrammarBuilder, State } from '../grammar/grammar.ts'

/** Bytes from `first` to `last` lead to the state `to`. */
type ByteRange = { readonly first: number; readonly last: number; readonly to: State }

/** The bytes that must follow to complete a character: how many, and the first and last possible value of the next one. */
type Due = { readonly count: number; readonly first: number; readonly last: number }
const noneDue: Due = { count: 0, first: 0, last: 0 }

/** The bytes with which a character above U+007F begins, and what must follow them (The Unicode Standard, table 3-7). */
const leads: readonly (Due & { readonly lead: readonly [first: number, last: number] })[] = [
  { lead: [0xc2, 0xdf], count: 1, first: 0x80, last: 0xbf },
  { lead: [0xe0, 0xe0], count: 2, first: 0xa0, last: 0xbf },
  { lead: [0xe1, 0xec], count: 2, first: 0x80, last: 0xbf },
  { lead: [0xed, 0xed], count: 2, first: 0x80, last: 0x9f },
  { lead: [0xee, 0xef], count: 2, first: 0x80, last: 0xbf },
  { lead: [0xf0, 0xf0], count: 3, first: 0x90, last: 0xbf },
  { lead: [0xf1, 0xf3], count: 3, first: 0x80, last: 0xbf },
  { lead: [0xf4, 0xf4], count: 3, first: 0x80, last: 0x8f },
]

/** Adds a loop over all characters but those of `others`, which are ASCII. */
export function addCharacters(grammar: GrammarBuilder, state: State, others: string): void {
  const excluded = new Map([...Buffer.from(others)].map((byte) => [byte, undefined]))
  for (const range of new Characters(grammar, state).ranges(noneDue))
    addRange(grammar, state, range, excluded)
}

/**
 * Adds any well-formed UTF-8 up to and including the first occurrence of a mark, which leads to `to`. With `end` the text
 * may also end without a mark. Marks in `first` count only at the start. No mark may occur within another one.
 */
export function addTextUntil(
  grammar: GrammarBuilder,
  from: State,
  { marks, first = [], end }: Until,
  to: State,
): void {
  const root: Node = { state: grammar.state(), next: new Map(), shorter: undefined, due: noneDue }
  const start: Node = { state: from, next: new Map(), shorter: root, due: noneDue }
  for (const text of marks) addToTree(grammar, root, [...Buffer.from(text)], to)
  for (const text of first) addToTree(grammar, start, [...Buffer.from(text)], to)
  const characters = new Characters(grammar, root.state)
  const nodes = [start, root]
  // `nodes` grows during this loop, in ascending order of text length.
  for (const node of nodes) {
    if (end !== undefined && node.due.count === 0) grammar.skip(node.state, end)
    for (const [byte, child] of node.next) {
      if (child.state === to) continue
      child.shorter = stepOf(node.shorter, byte) ?? root
      nodes.push(child)
    }
    addMoves(grammar, node, characters)
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
  /** The rest of the character in which the prefix ends. */
  readonly due: Due
}

function addToTree(grammar: GrammarBuilder, root: Node, bytes: readonly number[], to: State): void {
  let node = root
  for (const [index, byte] of bytes.entries()) {
    const state = index === bytes.length - 1 ? to : undefined
    const next = node.next.get(byte) ?? {
      state: state ?? grammar.state(),
      next: new Map<number, Node>(),
      shorter: undefined,
      due: dueAfter(node.due, byte),
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

/**
 * Adds an edge for every byte that may follow. It leads to the longest prefix of a mark with which the text then ends.
 * Marks begin with a whole character, so within a character only the same marks go on.
 */
function addMoves(grammar: GrammarBuilder, node: Node, characters: Characters): void {
  const marked = new Map<number, State | undefined>()
  for (let at: Node | undefined = node; at !== undefined; at = at.shorter)
    for (const byte of at.next.keys()) marked.set(byte, stepOf(node, byte)?.state)
  for (const range of characters.ranges(node.due)) addRange(grammar, node.state, range, marked)
}

/** Adds edges for the bytes of a range. Those in `others` lead to the state there instead, or nowhere. */
function addRange(
  grammar: GrammarBuilder,
  from: State,
  { first, last, to }: ByteRange,
  others: ReadonlyMap<number, State | undefined>,
): void {
  let next = first
  for (const [byte, other] of [...others].toSorted(([a], [b]) => a - b)) {
    if (byte < first || byte > last) continue
    if (next < byte) grammar.bytes(from, next, byte - 1, to)
    if (other !== undefined) grammar.bytes(from, byte, byte, other)
    next = byte + 1
  }
  if (next <= last) grammar.bytes(from, next, last, to)
}

/** The characters that lead to one state, byte by byte. */
class Characters {
  readonly #grammar: GrammarBuilder
  readonly #end: State
  readonly #states = new Map<string, State>()

  constructor(grammar: GrammarBuilder, end: State) {
    this.#grammar = grammar
    this.#end = end
  }

  /** Returns the bytes that may come next. With `noneDue`, a character begins. */
  ranges(due: Due): ByteRange[] {
    if (due.count > 0) return [this.#rangeOf(due)]
    const ascii = { first: 0, last: 0x7f, to: this.#end }
    return [
      ascii,
      ...leads.map(({ lead: [first, last], ...after }) => ({
        first,
        last,
        to: this.#stateOf(after),
      })),
    ]
  }

  #rangeOf({ count, first, last }: Due): ByteRange {
    return { first, last, to: this.#stateOf(dueOf(count - 1)) }
  }

  #stateOf(due: Due): State {
    if (due.count === 0) return this.#end
    const name = `${due.count} ${due.first} ${due.last}`
    const known = this.#states.get(name)
    if (known !== undefined) return known
    const state = this.#grammar.state()
    this.#states.set(name, state)
    const { first, last, to } = this.#rangeOf(due)
    this.#grammar.bytes(state, first, last, to)
    return state
  }
}

function dueAfter(due: Due, byte: number): Due {
  if (due.count > 0) return dueOf(due.count - 1)
  return leads.find(({ lead: [first, last] }) => byte >= first && byte <= last) ?? noneDue
}

function dueOf(count: number): Due {
  return count === 0 ? noneDue : { count, first: 0x80, last: 0xbf }
}
