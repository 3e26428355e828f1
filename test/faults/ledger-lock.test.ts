import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { recordFinding } from '../support/reliability.ts'
import { ReplyGate } from '../support/engine/reply-gate.ts'
import { scriptedEngine } from '../support/scripted-engine.ts'
import { question, startTestService } from '../support/service.ts'

test('replies that end while another process locks the ledger are settled once it is free (F27, T53)', async () => {
  const gate = new ReplyGate()
  const engine = scriptedEngine({ gate: gate.gate })
  const service = await startTestService({ engine, lockWaitMs: 50 })
  const key = { headers: { 'idempotency-key': 'order-17' } }
  const body = { ...question, temperature: 0, max_tokens: 10 }
  const whole = service.post(body, key)
  const streamed = service.stream(body)
  await expect.poll(() => [service.ledgerRows().length, gate.held]).toEqual([2, 2])
  const other = new Sqlite(join(service.dataDir, 'pipit.db'))
  other.exec('BEGIN IMMEDIATE')
  gate.release()
  const [{ status }, { done, raw }] = await Promise.all([whole, streamed])
  expect([status, done, raw.includes('ledger_unavailable')]).toEqual([503, false, true])
  other.exec('COMMIT')
  other.close()

  const outcomes = () => service.ledgerRows().map(({ outcome }) => outcome)
  await expect.poll(outcomes).toEqual(['length', 'length'])
  const receipts = await (await service.request('/v1/requests')).json()
  expect(receipts).toMatchObject({ data: [{ status: 'completed' }, { status: 'completed' }] })
  const again = await service.post(body, key)
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  expect(service.ledgerRows()).toHaveLength(2)
  await service.close()
  const finding =
    'Two replies that ended while another process held a write transaction got `ledger_unavailable`; both were settled after the lock, once each.'
  recordFinding('F27', finding)
  recordFinding('T53', finding)
})
