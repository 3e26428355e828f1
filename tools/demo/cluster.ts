// `npm run demo:cluster` starts PostgreSQL, two engines, three services and a proxy on this machine. It runs load,
// kills one of each in turn, and prints whether anything was lost or a limit was exceeded. It needs Debian's
// postgresql.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { ensureDefaultAccount } from '../../src/accounts/accounts.ts'
import { ApiKeys } from '../../src/accounts/api-keys.ts'
import { openDatabase } from '../../src/storage/database.ts'
import {
  createDatabase,
  noPostgres,
  startPostgres,
} from '../../test/support/postgres/start-postgres.ts'
import { journalFaults, readLedgerInPostgres } from '../../test/support/journal/check-journal.ts'
import { ClientJournal } from '../../test/support/journal/client-journal.ts'
import { newDataDir, type ServeProcess, startProcess } from '../../test/support/process.ts'
import { awaitReply, promptTokensOf, runLoad, type Seen } from '../../test/support/replicas/load.ts'
import { startEngines } from './demo-engines.ts'
import { startProxy } from './proxy.ts'
import { judge } from './verdict.ts'

/** Maximum time of the whole demo. */
const demoMs = 600_000
/** Time of load between two kills. */
const phaseMs = Number(process.env['DEMO_PHASE_SECONDS'] ?? 10) * 1000
/** Time in which the entries of killed services must be closed. */
const settleMs = 60_000
/** Time in which the cluster must serve again after a restart. */
const serveMs = 30_000
/** Maximum time to wait for the step in progress when the demo ends. */
const stepMs = 60_000
const frontCount = 3
const dayTokens = 4000
const minuteRequests = 60

const undo: (() => Promise<unknown> | void)[] = []
/** Aborts when the demo ends, however it ends. */
const ending = new AbortController()

async function run(): Promise<boolean> {
  const postgres = await startPostgres()
  if (postgres === undefined) throw new Error(noPostgres)
  undo.push(() => postgres.stop())
  const url = await createDatabase(postgres.url)
  const keys = await createKeys(url)
  say('PostgreSQL runs')
  const { kind, engines, environment } = await startEngines((one) => {
    undo.push(one)
    ending.signal.throwIfAborted()
  })
  say(`two engines run: ${kind}`)
  const fronts: ServeProcess[] = []
  const startFront = async () => {
    const front = await startProcess({ ...environment, PIPIT_DATABASE_URL: url })
    undo.push(() => front.dispose())
    ending.signal.throwIfAborted()
    fronts.push(front)
    return front
  }
  for (let count = 0; count < frontCount; count++) await startFront()
  const proxy = await startProxy(() => fronts.map((front) => front.url))
  undo.push(() => proxy.close())
  say(`three fronts and a proxy run: ${proxy.url}`)

  const entrance = { post: poster(proxy.url) }
  const target = { replicas: [entrance] }
  const promptTokens = await promptTokensOf(target, keys.limited.key)
  const stop = new AbortController()
  undo.push(() => stop.abort())
  const startMs = performance.now()
  const folder = newDataDir()
  const journal = new ClientJournal(join(folder, 'journal'))
  undo.push(() => {
    journal.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const load = { maxTokens: 12, signal: stop.signal, journal }
  const probes: Seen[] = []
  const awaitServing = async (replica: Entrance) => {
    const probe = { key: keys.free.key, maxTokens: 12, journal, timeoutMs: serveMs }
    probes.push(await awaitReply({ replicas: [replica] }, promptTokens, probe))
    say('a new request got its whole reply')
  }
  const loads = Promise.all([
    runLoad(target, promptTokens, { ...load, key: keys.free.key, clients: 2 }),
    runLoad(target, promptTokens, { ...load, key: keys.limited.key, clients: 3 }),
    runLoad(target, promptTokens, { ...load, key: keys.paced.key, clients: 1 }),
  ])
  await killInTurn({ postgres, engines, fronts, startFront, entrance, awaitServing })
  await pause(2 * phaseMs)
  stop.abort()
  const [free, limited, paced] = await loads
  const minutes = (performance.now() - startMs) / 60_000
  const seen = { free, limited, paced, probes }
  return await report(url, keys, { ...seen, promptTokens, minutes, journal })
}

type Cluster = {
  readonly postgres: NonNullable<Awaited<ReturnType<typeof startPostgres>>>
  readonly engines: Awaited<ReturnType<typeof startEngines>>['engines']
  readonly fronts: ServeProcess[]
  readonly startFront: () => Promise<ServeProcess>
  /** The proxy in front of the fronts. */
  readonly entrance: Entrance
  /** Waits until a new request gets its whole reply; throws if that takes too long. */
  readonly awaitServing: (entrance: Entrance) => Promise<void>
}

type Entrance = Pick<ServeProcess, 'post'>

/** Kills a front, an engine and PostgreSQL, and starts each again. */
async function killInTurn(cluster: Cluster): Promise<void> {
  const { postgres, engines, fronts, startFront, entrance, awaitServing } = cluster
  await pause(phaseMs)
  say('kill -9: a front')
  const [killed] = fronts.splice(0, 1)
  await killed?.kill('SIGKILL')
  await pause(phaseMs / 2)
  const added = await startFront()
  say('another front has started')
  await awaitServing(added)
  await pause(phaseMs)
  say('kill -9: an engine')
  await engines[0]?.kill()
  await pause(phaseMs / 2)
  await engines[0]?.restart()
  say('the engine has started again')
  await awaitServing(entrance)
  await pause(phaseMs)
  say('kill -9: PostgreSQL')
  postgres.child.kill('SIGKILL')
  await pause(1000)
  await postgres.restart()
  say('PostgreSQL has started again')
  await awaitServing(entrance)
}

type Keys = Record<'free' | 'limited' | 'paced', { id: string; key: string }>

async function createKeys(url: string): Promise<Keys> {
  const folder = newDataDir()
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const database = await openDatabase(folder, { url })
  try {
    const accountId = (await ensureDefaultAccount(database)).id
    const apiKeys = await ApiKeys.open(database)
    const create = (name: string, limits: object) => apiKeys.create({ accountId, name, limits })
    const keys = {
      free: await create('free', {}),
      limited: await create('limited', { tokensPerDay: dayTokens }),
      paced: await create('paced', { requestsPerMinute: minuteRequests }),
    }
    apiKeys.close()
    return keys
  } finally {
    await database.close()
  }
}

/** Sends completions to the proxy. */
function poster(url: string): ServeProcess['post'] {
  return (body, options) => {
    const { key = '', headers = {}, ...init } = { ...options }
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...init,
    })
  }
}

type Results = Record<'free' | 'limited' | 'paced', Seen> & {
  /** Requests with the key without limits, one after each restart. */
  probes: readonly Seen[]
  promptTokens: number
  minutes: number
  journal: ClientJournal
}

/** Compares what callers have seen with the ledger. Returns true if nothing was lost and no limit was exceeded. */
async function report(url: string, keys: Keys, results: Results): Promise<boolean> {
  const { free, limited, paced, probes, promptTokens, minutes, journal } = results
  const client = new pg.Client(url)
  await client.connect()
  try {
    const read = async (sql: string, values: unknown[] = []) =>
      (await client.query<Record<string, string | null>>(sql, values)).rows
    const openEntries = async () =>
      Number((await read("select count(*) as n from usage where state = 'reserved'"))[0]?.['n'])
    const endMs = performance.now() + settleMs
    while ((await openEntries()) > 0 && performance.now() < endMs) await pause(500)
    const open = await openEntries()
    const { acknowledged } = journal
    const faults = journalFaults({ acknowledged, rows: await readLedgerInPostgres(url) })
    for (const fault of faults) say(fault)
    const [day] = await read(
      "select coalesce(sum(prompt_tokens + completion_tokens), 0) as n from usage_sums where key_id = $1 and span = 'day'",
      [keys.limited.id],
    )
    const inLedger = Number(day?.['n'])
    // Adds the tokens of the request that `promptTokensOf` sent: the prompt and one generated token.
    const seenTokens = limited.tokens + promptTokens + 1
    const pacedMax = Math.floor(minuteRequests * (1 + minutes))
    const all = [free, limited, paced, ...probes]
    const checks = judge({
      acknowledged: acknowledged.length,
      differing: faults.length,
      open,
      day: { seen: seenTokens, ledger: inLedger, limit: dayTokens, refused: limited.refused },
      minute: { served: paced.ok, max: pacedMax, refused: paced.refused },
      unexpected: all.flatMap(({ unexpected }) => unexpected),
    })
    for (const { text, isRight } of checks) say(`${isRight ? 'ok    ' : 'FAILED'} ${text}`)
    const sum = (name: 'ok' | 'refused' | 'unavailable' | 'cut') =>
      all.reduce((total, seen) => total + seen[name], 0)
    say(
      `${sum('ok')} replies, ${sum('refused')} refused by limits, ${sum('unavailable')} asked to come again or not connected, ${sum('cut')} cut by kills`,
    )
    const isRight = checks.every((check) => check.isRight)
    say(isRight ? 'Nothing was lost, and no limit was passed.' : 'The demo FAILED.')
    return isRight
  } finally {
    await client.end()
  }
}

const startMs = performance.now()
function say(text: string): void {
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0).padStart(4)
  process.stdout.write(`${seconds} s  ${text}\n`)
}

function pause(ms: number): Promise<void> {
  return delay(ms, undefined, { signal: ending.signal })
}

/** Ends the demo. Undoes everything, including what the step in progress still starts. */
async function stop(code: number): Promise<void> {
  if (ending.signal.aborted) return
  ending.abort()
  await undoAll()
  await Promise.race([running.catch(() => {}), delay(stepMs)])
  await undoAll()
  process.exit(code)
}

/** Runs the undo functions, the latest first. If one fails, the others still run. */
async function undoAll(): Promise<void> {
  for (const one of undo.splice(0).reverse())
    try {
      await one()
    } catch (error) {
      process.stderr.write(`${String(error)}\n`)
    }
}

process.on('SIGINT', () => void stop(130))
process.on('SIGTERM', () => void stop(143))
setTimeout(() => {
  say('The demo FAILED: it took too long.')
  void stop(1)
}, demoMs).unref()
const running = run()
running.then(
  (isRight) => stop(isRight ? 0 : 1),
  (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error)
    if (!ending.signal.aborted) say(`The demo FAILED: ${text}`)
    return stop(1)
  },
)
