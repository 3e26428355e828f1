import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { question, startTestService } from '../service.ts'
import { journalFaults, type JournaledRow } from './check-journal.ts'
import { askAndNote, ClientJournal, readAcknowledged } from './client-journal.ts'

const reply = {
  requestId: 'req_1',
  usage: { prompt_tokens: 3, completion_tokens: 5 },
  textDigest: 'a',
}
const row: JournaledRow = {
  request_id: 'req_1',
  state: 'final',
  outcome: 'completed',
  prompt_tokens: 3,
  completion_tokens: 5,
}
const keyed = { ...reply, idempotencyKey: 'order' }

test.each([
  ['nothing', [reply], [row], []],
  ['a lost reply', [reply], [], ['req_1 was acknowledged and has no row.']],
  ['a doubled row', [reply], [row, row], ['req_1 has 2 rows.']],
  [
    'a reserved row',
    [reply],
    [{ ...row, state: 'reserved', outcome: null }],
    ['req_1 was acknowledged and is reserved, null.'],
  ],
  [
    'unequal usage',
    [reply],
    [{ ...row, completion_tokens: 4 }],
    ['req_1: the client saw 3+5 tokens, its row has 3+4.'],
  ],
  [
    'a key with two replies',
    [keyed, { ...keyed, textDigest: 'b' }],
    [row],
    ['The idempotency key order got different replies.'],
  ],
])('a comparison finds %s', (_, acknowledged, rows, faults) => {
  expect(journalFaults({ acknowledged, rows })).toEqual(faults)
})

test('a comparison finds tokens that the engine did not sample', () => {
  const compare = (tokens: number) =>
    journalFaults({
      acknowledged: [reply],
      rows: [row],
      engineTokens: new Map([['req_1', tokens]]),
    })
  expect(compare(5)).toEqual([])
  expect(compare(6)).toEqual(['req_1: the engine sampled 6 tokens, the client saw 5.'])
})

test('a journal has the replies that were acknowledged, and no others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-journal-'))
  const path = join(folder, 'journal')
  const service = await startTestService()
  const journal = new ClientJournal(path)
  try {
    const stream = { ...question, stream: true, stream_options: { include_usage: true } }
    await askAndNote(journal, service.post, question)
    await askAndNote(journal, service.post, stream, 'order-17')
    await askAndNote(journal, service.post, stream, 'order-17')
    expect(await askAndNote(journal, service.post, { ...question, n: 0 })).toBeUndefined()
    expect([journal.sent, journal.acknowledged.length]).toEqual([4, 3])
    expect(readAcknowledged(path)).toEqual(journal.acknowledged)
    const [first, keptReply, replayed] = journal.acknowledged
    expect(keptReply?.textDigest).toBe(replayed?.textDigest)
    const rows = service.ledgerRows() as unknown as JournaledRow[]
    expect(journalFaults({ acknowledged: [first!, keptReply!], rows })).toEqual([])
  } finally {
    journal.close()
    await service.close()
    rmSync(folder, { recursive: true })
  }
})
