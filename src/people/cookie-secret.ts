import { randomBytes } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { queries, toStatement } from '../storage/statement.ts'

/** Signs the cookies of the panel. Made once, and kept in the database, which its owner alone may read. */
export async function cookieSecret(database: Database): Promise<string> {
  const name = 'panel cookies'
  const row = { name, value: randomBytes(32).toString('base64url') }
  const insertOnce = queries
    .insertInto('service_secrets')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  await database.write({ steps: [toStatement(insertOnce)] })
  const [found] = await database.read(
    queries.selectFrom('service_secrets').select('value').where('name', '=', name),
  )
  if (found === undefined) throw new Error('a secret was written and is not there')
  return found.value
}
