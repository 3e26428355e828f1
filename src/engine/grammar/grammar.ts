import { grammarWorkMax } from '../../limits.ts'

/** What may be wrong with a schema: a keyword at `path` that is not enforced here, or not a schema. */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
  /** From the schema's root, for example `properties.a.if`; empty for the root itself. */
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.path = path.length > pathCharsMax ? `${path.slice(0, pathCharsMax)}…` : path
  }

  /** The same of a schema that stands in something larger. */
  within(path: string): SchemaRefused {
    return new SchemaRefused(this.path === '' ? path : `${path}.${this.path}`, this.message)
  }
}

const pathCharsMax = 200

/** So much thinking a schema may cost. A count, no clock: the same schema always ends the same way. */
export class Budget {
  #left = grammarWorkMax

  spend(work: number): void {
    this.#left -= work
    if (this.#left < 0) throw new SchemaRefused('', 'The schema is too complex. Make it smaller.')
  }
}

export const edgeKinds = {
  /** Any byte from `a` to `b`. */
  bytes: 0,
  /** Nothing is read. */
  skip: 1,
  /** The rule that begins at state `a`. */
  call: 2,
  /** The same; its text must be another one each time within one call of the rule that reads it. */
  key: 3,
  /** The rule ends here. */
  end: 4,
} as const

export type State = number
type Edge = { readonly kind: number; readonly a: number; readonly b: number; readonly to: State }

/**
 * A language of bytes: states and edges of automata that call each other (a pushdown automaton). A
 * rule is the state it begins at. No rule may be empty, nor begin with itself.
 */
export class GrammarBuilder {
  readonly budget = new Budget()
  readonly #edges: Edge[][] = []

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

  key(from: State, rule: State, to: State): void {
    this.#add(from, { kind: edgeKinds.key, a: rule, b: 0, to })
  }

  end(state: State): void {
    this.#add(state, { kind: edgeKinds.end, a: 0, b: 0, to: 0 })
  }

  /** The text's bytes, one after the other; without `to` they lead to a new state. */
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

  /** Any of the texts; what they begin with alike is there once. */
  anyText(from: State, texts: readonly string[], to: State): void {
    const children = new Map<State, Map<number, State>>()
    for (const text of new Set(texts)) {
      let at = from
      for (const byte of Buffer.from(text)) {
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

  /** The first of the rules that has no text; -1: each has one. */
  findImpossible(rules: readonly State[]): number {
    const ways = this.#waysToEnd()
    return rules.findIndex((rule) => ways[rule] === undefined)
  }

  /** Undefined when the rule's language is empty. What leads nowhere is left out. */
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
   * For each state an edge that leads to the end of its rule, by states that were found before it:
   * whoever follows these edges gets there. Undefined where none does.
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
    // It grows while it is walked.
    for (const next of found) {
      const unblocked = waiting[next] ?? []
      waiting[next] = []
      for (const [state, edge] of unblocked) offer(state, edge)
    }
    return ways
  }
}

/** Every state in it leads to its end. */
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

  /** As the engine reads it: the start, the number of states, where each one's edges end, the edges. */
  toNumbers(): Int32Array {
    const ends: number[] = []
    const numbers: number[] = []
    for (const edges of this.#edges) {
      for (const { kind, a, b, to } of edges) numbers.push(kind, a, b, to)
      ends.push(numbers.length / 4)
    }
    return Int32Array.from([this.#start, ends.length, ...ends, ...numbers])
  }

  /** One text of the language, and a short one: the way is the one that was found first. */
  example(): string {
    const bytes: number[] = []
    const returns: State[] = []
    let state: State | undefined = this.#start
    while (state !== undefined) {
      const edge: Edge | undefined = this.#ways[state]
      if (edge === undefined || edge.kind === edgeKinds.end) {
        state = returns.pop()
        continue
      }
      if (edge.kind === edgeKinds.bytes) bytes.push(edge.a)
      const isCall = edge.kind === edgeKinds.call || edge.kind === edgeKinds.key
      if (isCall) returns.push(edge.to)
      state = isCall ? edge.a : edge.to
    }
    return Buffer.from(bytes).toString()
  }
}
