import pg from 'pg'
import { expect, test } from 'vitest'
import { ensureDefaultAccount, listAccounts } from '../../../src/accounts/accounts.ts'
import { useDatabases } from '../../support/databases.ts'
import { statementsWaiting } from '../../support/postgres/statements-waiting.ts'

const databases = useDatabases()

test('two services that create the first account at the same moment create one', async () => {
  const services = [await databases.open(), await databases.open()] as const
  const client = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await client.connect()
  try {
    // Both inserts have begun and wait for this lock before either of them ends.
    await client.query(`
      create function wait_for_test() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
      create trigger wait_for_test before insert on accounts
        for each row execute function wait_for_test();
      select pg_advisory_lock(1)`)
    const created = Promise.all(services.map((service) => ensureDefaultAccount(service)))
    await expect.poll(() => statementsWaiting(client)).toBe(2)
    await client.query('select pg_advisory_unlock(1)')
    const [one, other] = await created
    expect(one).toEqual(other)
    expect(await listAccounts(services[0])).toEqual([one])
  } finally {
    await client.end()
  }
})
