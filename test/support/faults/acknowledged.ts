import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { ServeProcess } from '../process.ts'
import { question } from '../service.ts'

type Usage = { prompt_tokens: number; completion_tokens: number }
type Row = { request_id: string; state: string; stream: number } & Usage

/** Usage of the replies that clients received whole, to compare with the ledger. */
export class Acknowledged {
  readonly #usages = new Map<string, Usage>()

  get count(): number {
    return this.#usages.size
  }

  /** Sends one request and returns its status, or undefined if the connection failed. */
  async ask(service: ServeProcess, body: object = {}): Promise<number | undefined> {
    try {
      const response = await service.post({ ...question, max_tokens: 8, ...body })
      const { usage } = (await response.json()) as { usage?: Usage }
      const id = response.headers.get('x-request-id')
      if (response.status === 200 && usage !== undefined && id !== null) this.#usages.set(id, usage)
      return response.status
    } catch {
      return undefined
    }
  }

  /** Asserts that each reply has a final entry with equal usage. */
  expectStored(dataDir: string): void {
    const rows = new Map(readLedger(dataDir).map((row) => [row.request_id, row]))
    for (const [id, { prompt_tokens, completion_tokens }] of this.#usages) {
      const row = rows.get(id)
      const stored = [row?.state, row?.prompt_tokens, row?.completion_tokens]
      assert.deepEqual(stored, ['final', prompt_tokens, completion_tokens], `the entry of ${id}`)
    }
  }
}

/** Reads all entries, even after the service was killed. */
export function readLedger(dataDir: string): (Row & { outcome: string | null })[] {
  const database = new Sqlite(join(dataDir, 'pipit.db'), { readonly: true })
  try {
    return database.prepare('select * from usage').all() as ReturnType<typeof readLedger>
  } finally {
    database.close()
  }
}
