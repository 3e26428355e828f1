import { randomBytes } from 'node:crypto'
import type { Database } from '../storage/database.ts'
import { queries, toStatement } from '../storage/statement.ts'

/** The secret that signs the cookies of the panel. It is made once and kept in the database. */
export async function cookieSecret(database: Database): Promise<string> {
  const name = 'panel cookies'
  const row = { name, value: randomBytes(32).toString('base64url') }
  const insertOnce = queries
    .insertInto('service_secrets')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  await database.write([toStatement(insertOnce)])
  const [found] = await database.read(
    queries.selectFrom('service_secrets').select('value').where('name', '=', name),
  )
  if (found === undefined) throw new Error('the cookie secret was written but cannot be read')
  return found.value
}
