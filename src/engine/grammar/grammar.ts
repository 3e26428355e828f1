import { grammarWorkMax } from '../../limits.ts'

/** Thrown for a schema that is invalid or cannot be enforced; `path` leads to the keyword. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
  /** Path from the schema's root, for example `properties.a.if`; empty for the root itself. */
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path.length > pathCharsMax ? `${path.slice(0, pathCharsMax)}…` : path
  }

  /** Returns the same error with `path` prepended, for a schema inside a larger one. */
  within(path: string): SchemaRefused {
    return new SchemaRefused(this.path === '' ? path : `${path}.${this.path}`, this.message)
  }
}

const pathCharsMax = 200

/** Steps of work between two checks for cancellation. They take a few milliseconds. */
const workBetweenChecks = 2000

/**
 * Limits the work on one schema. It counts steps instead of time, so that the same schema always has the same result.
 * Every loop over a part of the schema spends steps for each element that it reads or copies.
 */
export class Budget {
  #left: number
  #nextCheck: number
  readonly #requireWanted: () => void

  /** `requireWanted` is called every few milliseconds and throws if the compilation was cancelled. */
  constructor(workMax = grammarWorkMax, requireWanted: () => void = () => {}) {
    this.#left = workMax
    this.#nextCheck = workMax - workBetweenChecks
    this.#requireWanted = requireWanted
  }

  /** True once the schema has needed more steps than the budget has. */
  get isExceeded(): boolean {
    return this.#left < 0
  }

  /** @throws SchemaRefused when no work is left */
  spend(work: number): void {
    this.#left -= work
    if (this.#left < 0) throw new SchemaRefused('', 'The schema is too complex. Make it smaller.')
    if (this.#left > this.#nextCheck) return
    this.#nextCheck = this.#left - workBetweenChecks
    this.#requireWanted()
  }
}

const edgeKinds = {
  /** Reads any byte from `a` to `b`. */
  bytes: 0,
  /** Reads nothing. */
  skip: 1,
  /** Reads the rule that begins at state `a`. */
  call: 2,
  /**
   * Like `call`, but refuses a text that was already read by a `key` edge in the same call of the enclosing rule. An
   * object uses it to read each name only once. `b` is 1 if the texts of the rule may run out, because there are few in
   * total or few with the same beginning.
   */
  key: 3,
  /** Ends the rule. */
  end: 4,
} as const

export type State = number
type Edge = { readonly kind: number; readonly a: number; readonly b: number; readonly to: State }

/**
 * Builds a grammar over bytes: states and edges of automata that call each other (a pushdown automaton).
 * A rule is named by its first state. Only the root rule may accept the empty text, and no rule may begin
 * with a call of itself.
 */
export class GrammarBuilder {
  readonly budget: Budget
  readonly #edges: Edge[][] = []

  constructor(budget: Budget) {
    this.budget = budget
  }

  state(): State {
    this.budget.spend(1)
    this.#edges.push([])
    return this.#edges.length - 1
  }

  bytes(from: State, first: number, last: number, to: State): void {
    this.#add(from, { kind: edgeKinds.bytes, a: first, b: last, to })
  }

  skip(from: State, to: State): void {
    this.#add(from, { kind: edgeKinds.skip, a: 0, b: 0, to })
  }

  call(from: State, rule: State, to: State): void {
    this.#add(from, { kind: edgeKinds.call, a: rule, b: 0, to })
  }

  /** `isFew`: the texts of the rule may run out, because there are few in total or few with the same beginning. */
  key(from: State, rule: State, to: State, isFew = false): void {
    this.#add(from, { kind: edgeKinds.key, a: rule, b: isFew ? 1 : 0, to })
  }

  end(state: State): void {
    this.#add(state, { kind: edgeKinds.end, a: 0, b: 0, to: 0 })
  }

  /** Adds the bytes of a text, up to `to` or to a new state. Returns the last state. */
  text(from: State, text: string, to?: State): State {
    const bytes = Buffer.from(text)
    let at = from
    for (const [index, byte] of bytes.entries()) {
      const next = to !== undefined && index === bytes.length - 1 ? to : this.state()
      this.bytes(at, byte, byte, next)
      at = next
    }
    return at
  }

  /** Adds a choice of the texts as a trie, so that common beginnings are stored once. */
  anyText(from: State, texts: readonly string[], to: State): void {
    const children = new Map<State, Map<number, State>>()
    for (const text of new Set(texts)) {
      let at = from
      const bytes = Buffer.from(text)
      this.budget.spend(bytes.length / 4)
      for (const byte of bytes) {
        const next = children.get(at) ?? new Map<number, State>()
        children.set(at, next)
        let child = next.get(byte)
        if (child === undefined) {
          child = this.state()
          this.bytes(at, byte, byte, child)
          next.set(byte, child)
        }
        at = child
      }
      this.skip(at, to)
    }
  }

  /** Returns the index of the first rule that accepts no text, or -1 if there is none. */
  findImpossible(rules: readonly State[]): number {
    const ways = this.#waysToEnd()
    return rules.findIndex((rule) => ways[rule] === undefined)
  }

  /** Returns the grammar without its dead ends; undefined if the root rule accepts no text. */
  finish(root: State): Grammar | undefined {
    const start = this.state()
    const last = this.state()
    this.call(start, root, last)
    this.end(last)
    const ways = this.#waysToEnd()
    if (ways[start] === undefined) return undefined
    const leads = (edge: Edge): boolean =>
      edge.kind === edgeKinds.end ||
      (ways[edge.to] !== undefined &&
        (edge.kind === edgeKinds.bytes ||
          edge.kind === edgeKinds.skip ||
          ways[edge.a] !== undefined))
    return new Grammar(
      start,
      this.#edges.map((edges) => edges.filter(leads)),
      ways,
    )
  }

  #add(from: State, edge: Edge): void {
    this.budget.spend(1)
    this.#edges[from]?.push(edge)
  }

  /**
   * Returns, for each state, an edge towards the end of its rule; undefined if the end cannot be reached. Each edge
   * leads to a state that was found earlier, so following the edges always ends.
   */
  #waysToEnd(): (Edge | undefined)[] {
    const ways: (Edge | undefined)[] = this.#edges.map(() => undefined)
    const waiting: [State, Edge][][] = this.#edges.map(() => [])
    const found: State[] = []
    const offer = (state: State, edge: Edge): void => {
      if (ways[state] !== undefined) return
      const isCall = edge.kind === edgeKinds.call || edge.kind === edgeKinds.key
      const needs = edge.kind === edgeKinds.end ? [] : isCall ? [edge.to, edge.a] : [edge.to]
      const missing = needs.find((need) => ways[need] === undefined)
      if (missing !== undefined) waiting[missing]?.push([state, edge])
      else {
        ways[state] = edge
        found.push(state)
      }
    }
    for (const [state, edges] of this.#edges.entries()) {
      for (const edge of edges) offer(state, edge)
    }
    // `found` grows during this loop.
    for (const next of found) {
      const unblocked = waiting[next] ?? []
      waiting[next] = []
      for (const [state, edge] of unblocked) offer(state, edge)
    }
    return ways
  }
}

/** A grammar without dead ends: every state leads to the end of its rule. */
export class Grammar {
  readonly #start: State
  readonly #edges: readonly (readonly Edge[])[]
  readonly #ways: readonly (Edge | undefined)[]

  constructor(
    start: State,
    edges: readonly (readonly Edge[])[],
    ways: readonly (Edge | undefined)[],
  ) {
    this.#start = start
    this.#edges = edges
    this.#ways = ways
  }

  /**
   * Serialises the grammar for the addon: the start state, the number of states, the end of each state's edges, the
   * edges.
   */
  toNumbers(): Int32Array<ArrayBuffer> {
    const ends: number[] = []
    const numbers: number[] = []
    for (const edges of this.#edges) {
      for (const { kind, a, b, to } of edges) numbers.push(kind, a, b, to)
      ends.push(numbers.length / 4)
    }
    return Int32Array.from([this.#start, ends.length, ...ends, ...numbers])
  }

  /** Returns a short text that the grammar accepts, the same on every call. */
  example(): string {
    const bytes: number[] = []
    const calls: Call[] = [{ returnTo: undefined, keys: new Set() }]
    let state: State | undefined = this.#start
    while (state !== undefined) {
      const edge: Edge | undefined = this.#ways[state]
      if (edge === undefined || edge.kind === edgeKinds.end) {
        state = calls.pop()?.returnTo
        continue
      }
      const isCall = edge.kind === edgeKinds.call
      state = isCall ? edge.a : edge.to
      if (isCall) calls.push({ returnTo: edge.to, keys: new Set() })
      else if (edge.kind === edgeKinds.bytes) bytes.push(edge.a)
      else if (edge.kind === edgeKinds.key) {
        const keys = calls.at(-1)?.keys ?? new Set()
        const key = this.#otherThan(edge.a, keys)
        keys.add(key.join())
        bytes.push(...key)
      }
    }
    return Buffer.from(bytes).toString()
  }

  /** Returns the bytes of a short text that the rule accepts and `used` lacks; empty if none was found. */
  #otherThan(rule: State, used: ReadonlySet<string>): readonly number[] {
    type Way = { state: State; returns: readonly State[]; bytes: readonly number[] }
    let ways: Way[] = [{ state: rule, returns: [], bytes: [] }]
    while (ways.length > 0) {
      const longer: Way[] = []
      for (const { state, returns, bytes } of ways) {
        for (const edge of this.#edges[state] ?? []) {
          if (edge.kind === edgeKinds.bytes) {
            for (let byte = edge.a; byte <= edge.b && byte - edge.a <= used.size; byte++)
              longer.push({ state: edge.to, returns, bytes: [...bytes, byte] })
          } else if (edge.kind === edgeKinds.skip) ways.push({ state: edge.to, returns, bytes })
          else if (edge.kind !== edgeKinds.end)
            ways.push({ state: edge.a, returns: [edge.to, ...returns], bytes })
          else if (returns[0] !== undefined)
            ways.push({ state: returns[0], returns: returns.slice(1), bytes })
          else if (!used.has(bytes.join())) return bytes
        }
        if (ways.length > exampleWaysMax) return []
      }
      ways = longer.slice(0, exampleWaysMax / 2)
    }
    return []
  }
}

/** A call of a rule, and the names that it has read. */
type Call = { readonly returnTo: State | undefined; readonly keys: Set<string> }

/** Most partial texts that `#otherThan` follows at the same time. */
const exampleWaysMax = 2000
