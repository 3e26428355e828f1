import pg from 'pg'
import { expect, test } from 'vitest'
import { Prices } from '../../../src/spending/prices/prices.ts'
import { listAudit, serviceActor } from '../../../src/storage/audit/audit-log.ts'
import { useDatabases } from '../../support/databases.ts'
import { statementsWaiting } from '../../support/postgres/statements-waiting.ts'

const nowMs = Date.UTC(2026, 10, 23, 12)
const databases = useDatabases()

test('of two services that set the first prices in two currencies at the same moment, one is refused', async () => {
  const [first, second] = await Promise.all([databases.open(), databases.open()])
  const client = new pg.Client(databases.environment.PIPIT_DATABASE_URL)
  await client.connect()
  try {
    // Both changes have begun and wait, here or for each other, before either of them ends.
    await client.query('begin; lock table audit_log in share mode')
    const wanted = { prompt: '1', completion: '1' }
    const changes = Promise.allSettled([
      new Prices(first).set(
        { ...wanted, from: '2026-11-01', currency: 'EUR' },
        serviceActor,
        nowMs,
      ),
      new Prices(second).set(
        { ...wanted, from: '2026-11-02', currency: 'USD' },
        serviceActor,
        nowMs,
      ),
    ])
    await expect.poll(() => statementsWaiting(client)).toBe(2)
    await client.query('commit')
    const [kept, refused] = (await changes).toSorted((x, y) => (x.status < y.status ? -1 : 1))
    expect(kept?.status).toBe('fulfilled')
    expect(refused).toMatchObject({ reason: { code: 'invalid_value', param: 'currency' } })
    expect(await new Prices(first).list()).toHaveLength(1)
    expect(await listAudit(first, 10)).toHaveLength(1)
  } finally {
    await client.end()
  }
})
