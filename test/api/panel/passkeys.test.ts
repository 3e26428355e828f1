import BetterSqlite3 from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attemptsOfNetworkFree } from '../../../src/people/attempts/attempt-limits.ts'
import { startTestService } from '../../support/service.ts'

test('challenges for passkeys, which are stored, need a proof of work after some from one network (T10, T14)', async () => {
  const service = await startTestService()
  try {
    const path = '/panel/api/auth/passkey/generate-authenticate-options'
    const statuses: number[] = []
    for (let i = 0; i < attemptsOfNetworkFree + 10; i++) {
      const response = await fetch(`${service.url}${path}`)
      statuses.push(response.status)
      await response.body?.cancel()
      if (response.status === 429) expect(response.headers.get('pipit-challenge')).not.toBeNull()
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(attemptsOfNetworkFree)
    const db = new BetterSqlite3(join(service.dataDir, 'pipit.db'), { readonly: true })
    const stored = db.prepare('select count(*) from verifications').pluck().get()
    db.close()
    expect(stored).toBe(attemptsOfNetworkFree)
  } finally {
    await service.close()
  }
})
