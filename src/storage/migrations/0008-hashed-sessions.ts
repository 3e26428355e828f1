import { type RawBuilder, type SchemaModule, sql } from 'kysely'
import { writeSecretFile } from '../secret-file.ts'

type Run = (query: RawBuilder<unknown>) => Promise<{ rows: unknown[] }>

/**
 * Replaces session ids by their SHA-256, so users stay signed in. Moves the secret that signs cookies from the database
 * to its own file. An existing file is replaced, because the two-factor secrets of this database are encrypted with
 * this secret.
 */
export async function up(schema: SchemaModule, run: Run, dataDir: string): Promise<void> {
  await run(sql`update sessions set token = sha256(token)`)
  await run(sql`delete from verifications`)
  const { rows } = await run(sql`select value from service_secrets where name = 'panel cookies'`)
  const [row] = rows
  if (hasValue(row)) writeSecretFile(dataDir, row.value)
  await schema.dropTable('service_secrets').execute()
}

function hasValue(row: unknown): row is { value: string } {
  return typeof row === 'object' && row !== null && 'value' in row && typeof row.value === 'string'
}
