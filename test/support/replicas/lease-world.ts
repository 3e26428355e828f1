import { strict as assert } from 'node:assert'
import type { Database } from '../../../src/storage/database.ts'
import type { Statement } from '../../../src/storage/statement.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import { LeasedLimits } from '../../../src/usage/leases/leased-limits.ts'
import { Ledger } from '../../../src/usage/ledger.ts'
import type { Hold } from '../../../src/usage/limits/rate-limiter.ts'
import { Replica } from '../../../src/usage/replicas/replica.ts'
import { ledgerEntry } from '../ledger-entry.ts'

export const worldLimits = { tokensPerMinute: 400, tokensPerDay: 1000, parallelRequests: 3 }
const noonMs = Date.UTC(2026, 5, 15, 12)

export type Step =
  | { type: 'begin'; replica: number; tokens: number }
  | { type: 'end'; replica: number; share: number }
  | { type: 'tick'; replica: number; isReplyLost: boolean }
  | { type: 'pass'; ms: number }
  | { type: 'pause'; replica: number; ms: number }
  | { type: 'kill'; replica: number }

type Running = { id: string; hold: Hold; tokens: number }

type Node = {
  replica: Replica
  limits: LeasedLimits
  ledger: Ledger
  running: Running[]
  isPaused: boolean
}

/**
 * Several replicas on one real database, with a clock that only the test moves. Counts the tokens of requests as
 * strictly as possible: a request that is cut counts as having used its whole reservation.
 */
export class LeaseWorld {
  readonly #database: Database
  readonly #nodes: Node[] = []
  #ms = 0
  #requests = 0
  #dayTokens = 0
  #debt = 0
  #debtMs = 0
  #refused = 0
  #losesReply = false

  private constructor(database: Database) {
    this.#database = database
  }

  static async open(database: Database, replicas: number): Promise<LeaseWorld> {
    const world = new LeaseWorld(database)
    // An earlier world may have used the database.
    await world.#run('create table if not exists fake_clock (ms bigint not null)')
    await world.#run(
      'truncate fake_clock, replicas, limit_pools, limit_leases, usage, usage_sums, usage_errors',
    )
    await world.#run(`insert into fake_clock values (${noonMs})`)
    await world.#run(
      `create or replace function pipit_now() returns bigint language sql volatile as 'select ms from fake_clock'`,
    )
    for (let index = 0; index < replicas; index++) world.#nodes.push(await world.#start())
    return world
  }

  get refused(): number {
    return this.#refused
  }

  get dayTokens(): number {
    return this.#dayTokens
  }

  async apply(step: Step): Promise<void> {
    switch (step.type) {
      case 'begin':
        await this.#begin(this.#node(step.replica), step.tokens)
        break
      case 'end':
        await this.#end(this.#node(step.replica), step.share)
        break
      case 'tick':
        this.#losesReply = step.isReplyLost
        await this.#node(step.replica).limits.tick()
        this.#losesReply = false
        break
      case 'pass':
        await this.#pass(step.ms)
        break
      case 'pause':
        await this.#pause(this.#node(step.replica), step.ms)
        break
      case 'kill':
        await this.#kill(step.replica % this.#nodes.length)
    }
    await this.check()
  }

  /** Ends all requests, and lets every replica return the leases that it does not use. */
  async settle(): Promise<void> {
    for (const node of this.#nodes) {
      while (node.running.length > 0) await this.#end(node, 1)
      await node.limits.tick()
      await this.#pass(300)
      await node.limits.tick()
    }
    await this.check()
  }

  /** Asserts that no limit was exceeded, and that each pool in the database equals the sum of its leases. */
  async check(): Promise<void> {
    this.#payDebt()
    const held = this.#nodes.flatMap(({ running }) => running)
    const running = held.reduce((sum, { tokens }) => sum + tokens, 0)
    assert(this.#dayTokens + running <= worldLimits.tokensPerDay, `day: ${this.#dayTokens}`)
    assert(this.#debt + running <= worldLimits.tokensPerMinute + 1e-6, `minute: ${this.#debt}`)
    assert(held.length <= worldLimits.parallelRequests, `parallel: ${held.length}`)
    const pools = await this.#rows(
      `select name, leased, (select coalesce(sum(amount), 0) from limit_leases l where l.subject_id = p.subject_id
        and l.name = p.name and l.begin_ms = p.begin_ms) as sum from limit_pools p`,
    )
    for (const { name, leased, sum } of pools) {
      assert.equal(Number(leased), Number(sum), `leases of ${String(name)}`)
      const limit = worldLimits[name as keyof typeof worldLimits] ?? Infinity
      assert(Number(leased) >= 0 && Number(leased) <= limit, `${String(name)}: ${String(leased)}`)
    }
  }

  async #begin(node: Node, tokens: number): Promise<void> {
    const id = `req_${++this.#requests}`
    const who = { keyId: 'key_1', accountId: 'acct_1', limits: worldLimits, accountLimits: {} }
    try {
      const hold = await node.limits.enter(who, noonMs + this.#ms, id)
      await hold.reserve(tokens)
      try {
        await node.ledger.reserve({
          ...ledgerEntry(id),
          accountId: 'acct_1',
          keyId: 'key_1',
          promptTokens: 0,
          maxTokens: tokens,
          createdMs: noonMs + this.#ms,
        })
      } catch (error) {
        hold.end(0)
        throw error
      }
      node.running.push({ id, hold, tokens })
    } catch (error) {
      this.#refused += 1
      assert('code' in (error as object), String(error))
    }
  }

  async #end(node: Node, share: number): Promise<void> {
    const request = node.running.shift()
    if (request === undefined) return
    const used = Math.floor(request.tokens * share)
    this.#count(used)
    request.hold.end(used)
    const counts = { promptTokens: 0, cachedTokens: 0, completionTokens: used }
    const entry = { ...ledgerEntry(request.id), accountId: 'acct_1', keyId: 'key_1' }
    await node.ledger.settle(
      { ...entry, createdMs: noonMs + this.#ms },
      { outcome: 'completed', ...counts },
    )
  }

  async #pass(ms: number): Promise<void> {
    this.#ms += ms
    await this.#run(`update fake_clock set ms = ${noonMs + this.#ms}`)
    for (const node of this.#nodes) if (!node.isPaused) await node.replica.beat()
  }

  /** Pauses a replica. The other replicas go on, and close it if the pause is long. */
  async #pause(node: Node, ms: number): Promise<void> {
    node.isPaused = true
    for (let passed = 0; passed < ms; passed += 1000) await this.#pass(Math.min(1000, ms - passed))
    node.isPaused = false
    const { id } = node.replica
    // The replica gets a request as soon as it wakes up, before it learns that it was closed.
    await this.#begin(node, 50)
    await node.replica.beat()
    if (node.replica.id === id) return
    assert(ms >= 6000, 'it was closed too early')
    for (const { tokens } of node.running) this.#count(tokens)
    node.running.length = 0
  }

  async #kill(index: number): Promise<void> {
    const killed = this.#nodes[index]
    if (killed === undefined) return
    for (const { tokens } of killed.running) this.#count(tokens)
    this.#nodes[index] = await this.#start()
  }

  async #start(): Promise<Node> {
    const steadyMs = () => this.#ms
    const options = {
      address: 'test',
      version: '0.0.0',
      logger: silentLogger,
      now: () => noonMs + this.#ms,
    }
    const replica = await Replica.register(this.#database, { ...options, steadyMs })
    const ledger = Ledger.open(this.#database, 'unused', { replica })
    const database = { writeReturning: (statement: Statement) => this.#send(statement) }
    const isOpen = (requestId: string) => ledger.holds(requestId)
    const wallMs = () => noonMs + this.#ms
    const delay = (ms: number) => this.#pass(ms)
    const limits = new LeasedLimits(database, { replica, isOpen, wallMs, steadyMs, delay })
    return { replica, limits, ledger, running: [], isPaused: false }
  }

  async #send(statement: Statement) {
    const rows = await this.#database.writeReturning(statement)
    if (this.#losesReply) throw new Error('the reply was lost')
    return rows
  }

  #count(tokens: number): void {
    this.#payDebt()
    this.#dayTokens += tokens
    this.#debt += tokens
  }

  #payDebt(): void {
    const paid = ((this.#ms - this.#debtMs) * worldLimits.tokensPerMinute) / 60_000
    this.#debt = Math.max(0, this.#debt - paid)
    this.#debtMs = this.#ms
  }

  #node(index: number): Node {
    const node = this.#nodes[index % this.#nodes.length]
    assert(node !== undefined)
    return node
  }

  async #run(sql: string): Promise<void> {
    await this.#database.write([{ sql, parameters: [] }])
  }

  #rows(sql: string) {
    return this.#database.readRows({ sql, parameters: [] })
  }
}
