import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { IsRight } from './measure-steps.ts'

type Row = { request_id: string; prompt_tokens: number; completion_tokens: number }

/**
 * Reads the final entries of the ledger through a separate connection. A reply is right if its usage equals its
 * entry's.
 */
export function readLedger(dataDir: string): IsRight {
  const database = new Sqlite(join(dataDir, 'pipit.db'), { readonly: true })
  try {
    const rows = database
      .prepare(
        "select request_id, prompt_tokens, completion_tokens from usage where state = 'final'",
      )
      .all() as Row[]
    const byId = new Map(rows.map((row) => [row.request_id, row]))
    return ({ requestId, promptTokens, completionTokens }) => {
      const row = byId.get(requestId)
      return row?.prompt_tokens === promptTokens && row.completion_tokens === completionTokens
    }
  } finally {
    database.close()
  }
}
