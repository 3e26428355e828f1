import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Acknowledged } from './client-journal.ts'

/** The part of a ledger row that a journal is compared with. */
export type JournaledRow = {
  readonly request_id: string
  readonly state: string
  readonly outcome: string | null
  readonly prompt_tokens: number
  readonly completion_tokens: number
}

type Compared = {
  readonly acknowledged: readonly Acknowledged[]
  readonly rows: readonly JournaledRow[]
  /** Completion tokens that the engine sampled, by request id, where the test can know them. */
  readonly engineTokens?: ReadonlyMap<string, number>
}

/** Reads the ledger of a data folder, even after the service was killed. */
export function readLedger(dataDir: string): (JournaledRow & { readonly stream: number })[] {
  const database = new Sqlite(join(dataDir, 'pipit.db'), { readonly: true })
  try {
    return readLedgerRows(database)
  } finally {
    database.close()
  }
}

export function readLedgerRows(database: Sqlite.Database): ReturnType<typeof readLedger> {
  return database.prepare('select * from usage').all() as ReturnType<typeof readLedger>
}

/** Reads the ledger in PostgreSQL. */
export async function readLedgerInPostgres(url: string): Promise<JournaledRow[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const columns = 'request_id, state, outcome, prompt_tokens::int, completion_tokens::int'
    return (await client.query<JournaledRow>(`select ${columns} from usage`)).rows
  } finally {
    await client.end()
  }
}

/** Lists the differences between a journal, the ledger and the engine, one sentence each. */
export function journalFaults({ acknowledged, rows, engineTokens }: Compared): string[] {
  const byId = Map.groupBy(rows, (row) => row.request_id)
  const doubled = [...byId].filter(([, same]) => same.length > 1)
  return [
    ...doubled.map(([id, same]) => `${id} has ${same.length} rows.`),
    ...acknowledged.flatMap((reply) => rowFaults(reply, byId.get(reply.requestId)?.[0])),
    ...acknowledged.flatMap((reply) => engineFaults(reply, engineTokens)),
    ...keyFaults(acknowledged),
  ]
}

function rowFaults({ requestId, usage }: Acknowledged, row: JournaledRow | undefined): string[] {
  if (row === undefined) return [`${requestId} was acknowledged and has no row.`]
  const faults: string[] = []
  if (row.state !== 'final' || !['completed', 'length'].includes(row.outcome ?? ''))
    faults.push(`${requestId} was acknowledged and is ${row.state}, ${row.outcome}.`)
  const [seen, stored] = [
    [usage.prompt_tokens, usage.completion_tokens],
    [row.prompt_tokens, row.completion_tokens],
  ]
  if (seen.join() !== stored.join())
    faults.push(
      `${requestId}: the client saw ${seen.join('+')} tokens, its row has ${stored.join('+')}.`,
    )
  return faults
}

function engineFaults(
  { requestId, usage }: Acknowledged,
  engineTokens: ReadonlyMap<string, number> | undefined,
): string[] {
  const sampled = engineTokens?.get(requestId)
  if (engineTokens === undefined || sampled === usage.completion_tokens) return []
  return [
    `${requestId}: the engine sampled ${sampled ?? 'no'} tokens, the client saw ${usage.completion_tokens}.`,
  ]
}

/** Lists the idempotency keys that got different replies. */
function keyFaults(acknowledged: readonly Acknowledged[]): string[] {
  const withKey = acknowledged.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
  return [...Map.groupBy(withKey, ({ idempotencyKey }) => idempotencyKey)]
    .filter(([, same]) => new Set(same.map(({ textDigest }) => textDigest)).size > 1)
    .map(([key]) => `The idempotency key ${key} got different replies.`)
}
