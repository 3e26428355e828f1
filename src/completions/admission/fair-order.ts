import type { Holder } from './shared-budget.ts'
import { linesMax } from './queue-limits.ts'
import type { Size } from './service-rates.ts'
import { TurnRate } from './turn-rate.ts'
import type { Weights } from './weights.ts'

/** A request that waits in the line of its end user. */
export type Turn = Size & { readonly line: Line }

/** A member of one level: an account, an API key of an account, or an end user of a key. */
export class Line {
  readonly parent: Line | undefined
  weight = 1
  /** Tokens served, divided by `weight`. A completion token counts as `ServiceRates.outputWeight` prompt tokens. */
  counter = 0
  /** Slots that its requests hold. */
  running = 0
  /** Waiting requests of this line, and their total size. */
  waiting = 0
  readonly size = { slots: 0, promptTokens: 0, outputTokens: 0 }
  /** Members of the next level with waiting requests, in the order in which they began to wait. */
  readonly backlog = new Set<Line>()
  /** Waiting requests in order of arrival. Only the line of an end user holds any. */
  readonly turns: Turn[] = []
  readonly rate = new TurnRate()
  /** Largest counter at which a member of the next level was served. */
  present = 0
  /** Moving average of generated completion tokens divided by the tokens asked for. Used for API keys. */
  outputShare = 0.5
  /** Time at which the latest refused request of an API key should be sent again. */
  lastReturnMs = -Infinity

  constructor(parent?: Line) {
    this.parent = parent
  }

  get isIdle(): boolean {
    return this.waiting === 0 && this.running === 0
  }
}

/**
 * Orders waiting requests fairly by virtual token counters (Sheng et al., "Fairness in Serving Large Language Models",
 * arXiv 2401.00588) on three levels: accounts, their API keys, and the end users of a key. Each level serves the member
 * whose counter is least. A member that begins to wait is lifted to the least counter of the waiting members, so idle
 * time earns no credit.
 */
export class FairOrder {
  readonly #root = new Line()
  /** Slots of the engine. */
  readonly #slots: number
  readonly #weights: Weights
  /** Keyed by the ids of the account, the key and the end user. The least recently used comes first. */
  readonly #lines = new Map<string, Line>()

  constructor(slots: number, weights: Weights) {
    this.#slots = slots
    this.#weights = weights
  }

  /** Waiting requests. */
  get waiting(): number {
    return this.#root.waiting
  }

  /** Total size of all waiting requests. */
  get size(): Size {
    return this.#root.size
  }

  /** Number of lines kept, on all levels. */
  get lines(): number {
    return this.#lines.size
  }

  /** Returns the line of an end user, and creates it if needed. */
  lineOf(holder: Holder, endUser: string): Line {
    const { accountId, keyId } = holder
    const keyPath = `${accountId} ${keyId}`
    const path = `${keyPath} ${endUser}`
    const account = this.#line(accountId, this.#root)
    const key = this.#line(keyPath, account)
    const line = this.#line(path, key)
    if (!this.#weights.isEmpty) {
      account.weight = this.#weights.ofAccount(holder)
      key.weight = this.#weights.ofKey(holder)
    }
    if (this.#lines.size > linesMax / 2) {
      // Each line is moved behind its members in the map, so that the members are forgotten first.
      this.#noteUse(path, line)
      this.#noteUse(keyPath, key)
      this.#noteUse(accountId, account)
      this.#forgetIdle()
    }
    return line
  }

  /**
   * Lifts the counters of a line and its parents. A counter is raised to the least counter of the waiting members of
   * its level, or to `present` if none waits. Lines with waiting requests keep their counters.
   */
  lift(line: Line): void {
    for (let member = line; member.parent !== undefined; member = member.parent)
      lift(member, member.parent)
  }

  add(turn: Turn, nowMs: number): void {
    turn.line.turns.push(turn)
    for (let line: Line | undefined = turn.line; line !== undefined; line = line.parent) {
      if (line.waiting === 0) line.rate.begin(nowMs)
      line.waiting += 1
      resize(line, turn, 1)
      line.parent?.backlog.add(line)
    }
  }

  remove(turn: Turn): void {
    const { turns } = turn.line
    turns.splice(turns.indexOf(turn), 1)
    for (let line: Line | undefined = turn.line; line !== undefined; line = line.parent) {
      line.waiting -= 1
      resize(line, turn, -1)
      if (line.waiting === 0) line.parent?.backlog.delete(line)
    }
  }

  /** Returns the request to serve next, which is the earliest of its end user. */
  next(): Turn | undefined {
    let line = this.#root
    let slots = this.#slots
    while (line.backlog.size > 0) {
      line = this.#first(line.backlog, slots) ?? line
      slots = line.running + 1
    }
    return line.turns[0]
  }

  /** Records that a waiting request of the line starts. */
  noteTurn(line: Line, nowMs: number): void {
    for (let member = line; member.parent !== undefined; member = member.parent)
      member.rate.note(nowMs)
  }

  /** Counts the slots that a request of the line takes, and charges its prompt tokens. */
  start(line: Line, slots: number, promptTokens: number): void {
    for (let member = line; member.parent !== undefined; member = member.parent) {
      member.running += slots
      member.parent.present = Math.max(member.parent.present, member.counter)
    }
    this.charge(line, promptTokens)
  }

  /** Counts further slots of a running request. */
  widen(line: Line, slots: number): void {
    this.end(line, -slots)
  }

  end(line: Line, slots: number): void {
    for (let member = line; member.parent !== undefined; member = member.parent)
      member.running -= slots
  }

  /**
   * Returns the number of equal shares of the engine; the line's API key gets one of them. It is the number of accounts
   * with waiting requests, times the number of keys of the same account with waiting requests. Both are at least 1.
   */
  sharers({ parent: key }: Line): number {
    const keys = key?.parent?.backlog.size ?? 1
    return Math.max(1, this.#root.backlog.size) * Math.max(1, keys)
  }

  /** Adds weighted tokens to the counters of the line and its parents. */
  charge(line: Line, units: number): void {
    for (let member = line; member.parent !== undefined; member = member.parent)
      member.counter += units / member.weight
  }

  /**
   * Predicts how much work is served before a request, in the unit of `sizeOf`.
   * @param own size of the requests that are ahead in the request's own line
   * @param sizeOf returns the size of all requests that wait in a line
   * @param sizeOfUnit size of one weighted token
   * @param onMember gets what is ahead in the line, then in each of its parents
   */
  ahead(
    line: Line,
    own: number,
    sizeOf: (line: Line) => number,
    sizeOfUnit: number,
    onMember?: (member: Line, ahead: number) => void,
  ): number {
    let ahead = own
    for (let member = line; member.parent !== undefined; member = member.parent) {
      onMember?.(member, ahead)
      let others = 0
      let isEarlier = true
      for (const other of member.parent.backlog) {
        if (other === member) {
          isEarlier = false
          continue
        }
        const comesFirst = isEarlier ? !isBefore(member, other) : isBefore(other, member)
        // While `member` gets `ahead`, `other` makes up for its lower counter, then gets as much per unit of weight.
        const owed = Math.max(0, member.counter - other.counter) * sizeOfUnit
        const turn = comesFirst ? sizeOf(other) / other.waiting : 0
        const served = (ahead / member.weight + owed) * other.weight + turn
        others += Math.min(sizeOf(other), served)
      }
      ahead += others
    }
    return ahead
  }

  /**
   * Predicts the wait from the measured time between the turns of the line and of its parents. Unlike `ahead`, that
   * includes what others get who begin to wait later. 0 if too few turns were measured.
   * @param own requests that are ahead in the request's own line
   * @param turnsOfUnit requests per weighted token
   */
  turnsMs(line: Line, own: number, turnsOfUnit: number): number {
    let waitMs = 0
    const waitingOf = ({ waiting }: Line) => waiting
    this.ahead(line, own, waitingOf, turnsOfUnit, ({ rate }, ahead) => {
      waitMs = Math.max(waitMs, ahead * rate.msPerTurn)
    })
    return waitMs
  }

  /** Returns an upper bound of `turnsMs` for a new request of the line. */
  turnsMsMax(line: Line): number {
    let mostMs = 0
    for (let member = line; member.parent !== undefined; member = member.parent)
      mostMs = Math.max(mostMs, member.waiting * member.rate.msPerTurn)
    return mostMs
  }

  /** Returns the member to serve next. A member that holds its share of the slots comes after those that do not. */
  #first(backlog: ReadonlySet<Line>, slots: number): Line | undefined {
    let weights = this.#weights.isEmpty ? backlog.size : 0
    if (weights === 0) for (const { weight } of backlog) weights += weight
    let best: Line | undefined
    let bestIsFull = true
    for (const line of backlog) {
      const share = Math.ceil((slots * line.weight) / weights - 1e-9)
      const isFull = line.running >= share
      if (best === undefined || (isFull === bestIsFull ? isBefore(line, best) : bestIsFull)) {
        best = line
        bestIsFull = isFull
      }
    }
    return best
  }

  #line(path: string, parent: Line): Line {
    const known = this.#lines.get(path)
    // A line whose parent was forgotten starts over.
    if (known?.parent === parent) return known
    const line = new Line(parent)
    this.#lines.set(path, line)
    return line
  }

  #noteUse(path: string, line: Line): void {
    this.#lines.delete(path)
    this.#lines.set(path, line)
  }

  #forgetIdle(): void {
    for (const [path, line] of this.#lines) {
      if (this.#lines.size <= linesMax) return
      if (line.isIdle) this.#lines.delete(path)
    }
  }
}

function resize({ size }: Line, { slots, promptTokens, outputTokens }: Size, sign: 1 | -1): void {
  size.slots += sign * slots
  size.promptTokens += sign * promptTokens
  size.outputTokens += sign * outputTokens
}

function lift(line: Line, parent: Line): void {
  if (line.waiting > 0) return
  let present = parent.backlog.size === 0 ? parent.present : Infinity
  for (const { counter } of parent.backlog) present = Math.min(present, counter)
  line.counter = Math.max(line.counter, present)
}

/** Returns true if `a` has priority over `b`, whichever began to wait first. */
function isBefore(a: Line, b: Line): boolean {
  if (a.counter !== b.counter) return a.counter < b.counter
  return a.running / a.weight < b.running / b.weight
}
