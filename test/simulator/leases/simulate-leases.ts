import type { Database } from '../../../src/storage/database.ts'
import type { Row } from '../../../src/storage/unit.ts'
import type { Statement } from '../../../src/storage/statement.ts'
import { silentLogger } from '../../../src/telemetry/logger.ts'
import { LeasedLimits } from '../../../src/usage/leases/leased-limits.ts'
import type { Hold } from '../../../src/usage/limits/rate-limiter.ts'
import { Replica } from '../../../src/usage/replicas/replica.ts'
import { randomNumbers } from '../../support/random/random-numbers.ts'

const noonMs = Date.UTC(2026, 5, 15, 12)
const stepMs = 50
const tickMs = 250
const beatMs = 1000
/** Tokens of the largest reservation. A request uses at least half of its reservation. */
const tokensMost = 500
/** Mean tokens of a request: a mean reservation is 60 % of the largest, and three quarters of it are used. */
const tokensMean = 0.6 * 0.75 * tokensMost

type Simulated = {
  replicas: number
  /** Tokens per minute. */
  limit: number
  seconds: number
  /** Offered load as a multiple of the limit. */
  load: number
  seed: number
}

type Simulation = Simulated & {
  requests: number
  refused: number
  used: number
  /** Largest number of tokens beyond the limit, as counted by a token bucket that holds one minute's limit. */
  overspend: number
  /** Share of the allowed tokens that was not used. */
  unusedShare: number
  /** Calls to the database that renew leases, all replicas together. */
  roundTripsPerSecond: number
  /** Requests that waited for a call that renews leases. */
  waited: number
}

type Node = { replica: Replica; limits: LeasedLimits }
type Running = { endMs: number; hold: Hold; used: number }

/**
 * Simulates replicas that share one limit: the real lease code and the real functions of PostgreSQL, on a clock that only
 * this loop moves. Requests arrive at random replicas.
 */
export async function simulateLeases(
  database: Database,
  simulated: Simulated,
): Promise<Simulation> {
  const { replicas, limit, seconds, load, seed } = simulated
  const random = randomNumbers(seed)
  const world = await World.open(database, replicas)
  const perStep = (load * limit * stepMs) / 60_000 / tokensMean
  const who = {
    keyId: 'key_1',
    accountId: 'acct_1',
    limits: { tokensPerMinute: limit },
    accountLimits: {},
  }
  const count = { requests: 0, refused: 0, used: 0, waited: 0 }
  let running: Running[] = []
  let [owed, debt, overspend] = [0, 0, 0]
  for (let ms = 0; ms < seconds * 1000; ms += stepMs) {
    await world.moveTo(ms)
    // The tokens of a request drain from the bucket only after the request has ended.
    debt = Math.max(0, debt - (limit * stepMs) / 60_000)
    const ended = running.filter(({ endMs }) => endMs <= ms)
    running = running.filter(({ endMs }) => endMs > ms)
    for (const { hold, used } of ended) {
      hold.end(used)
      debt += used
      count.used += used
    }
    for (owed += perStep; owed >= 1; owed--) {
      count.requests += 1
      const node = world.nodes[Math.floor(random() * replicas)]
      const tokens = Math.ceil(tokensMost * (0.2 + 0.8 * random()))
      const used = Math.ceil(tokens * (0.5 + 0.5 * random()))
      const lastMs = ms + 200 + Math.floor(random() * 1800)
      if (node === undefined) continue
      const before = world.roundTrips
      try {
        const hold = await node.limits.enter(who, noonMs + ms)
        await hold.reserve(tokens)
        running.push({ endMs: lastMs, hold, used })
        if (world.roundTrips > before) count.waited += 1
      } catch {
        count.refused += 1
      }
    }
    const held = running.reduce((sum, one) => sum + one.used, 0)
    overspend = Math.max(overspend, Math.ceil(debt + held - limit))
  }
  const total = count.used + running.reduce((sum, { used }) => sum + used, 0)
  // The bucket is full at the start, and refills at the rate of the limit.
  const allowed = limit * (1 + seconds / 60)
  return {
    ...simulated,
    requests: count.requests,
    refused: count.refused,
    used: total,
    overspend: Math.max(0, overspend),
    unusedShare: 1 - total / allowed,
    roundTripsPerSecond: world.roundTrips / seconds,
    waited: count.waited,
  }
}

class World {
  readonly nodes: Node[] = []
  roundTrips = 0
  readonly #database: Database
  #ms = 0

  private constructor(database: Database) {
    this.#database = database
  }

  static async open(database: Database, replicas: number): Promise<World> {
    const world = new World(database)
    await world.#run('create table if not exists fake_clock (ms bigint not null)')
    await world.#run('truncate fake_clock, replicas, limit_pools, limit_leases')
    await world.#run(`insert into fake_clock values (${noonMs})`)
    await world.#run(
      `create or replace function pipit_now() returns bigint language sql volatile as 'select ms from fake_clock'`,
    )
    for (let index = 0; index < replicas; index++) world.nodes.push(await world.#start())
    return world
  }

  /** Moves the clock; each replica renews its leases at its own times. */
  async moveTo(ms: number): Promise<void> {
    this.#ms = ms
    await this.#run(`update fake_clock set ms = ${noonMs + ms}`)
    // Renews all registrations with one statement: a thousand calls would show nothing about leases.
    if (ms % beatMs === 0) {
      await this.#run(`update replicas set heartbeat_ms = ${noonMs + ms}`)
      for (const { replica } of this.nodes) await replica.beat()
    }
    const slots = tickMs / stepMs
    for (const [index, { limits }] of this.nodes.entries())
      if (index % slots === (ms / stepMs) % slots) await limits.tick()
  }

  async #start(): Promise<Node> {
    const now = () => noonMs + this.#ms
    const steadyMs = () => this.#ms
    const replica = await Replica.register(this.#database, {
      address: 'simulated',
      version: '1.2.3',
      logger: silentLogger,
      now,
      steadyMs,
    })
    const database = { writeReturning: (statement: Statement) => this.#send(statement) }
    return {
      replica,
      limits: new LeasedLimits(database, { replica, isOpen: () => false, wallMs: now, steadyMs }),
    }
  }

  async #send(statement: Statement): Promise<Row[]> {
    this.roundTrips += 1
    return await this.#database.writeReturning(statement)
  }

  async #run(sql: string): Promise<void> {
    await this.#database.write([{ sql, parameters: [] }])
  }
}
