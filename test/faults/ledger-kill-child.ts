import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../src/storage/database.ts'
import { Ledger } from '../../src/usage/ledger.ts'

// Reserves and settles without end and notes each acknowledgement, until it is killed.
// `early` notes them before the disk has them: what the test must be able to notice.
const [dataDir = '', bootId = '', mode = 'honest'] = process.argv.slice(2)
const database = await openDatabase(dataDir, { serve: true })
const ledger = Ledger.open(database, bootId)
await ledger.closeOrphans()
// A file and not a pipe: what was written to it stays when the writer is killed, and never blocks.
const notes = openSync(join(dataDir, 'acknowledged'), 'a')
process.stdout.write('ready\n')
await Promise.all(Array.from({ length: 16 }, (_, lane) => work(lane)))

async function work(lane: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const requestId = `${bootId}-${lane}-${turn}`
    const entry = {
      requestId,
      accountId: `acct_${lane % 3}`,
      keyId: 'key_1',
      model: 'svc-o1-mini',
      route: '/v1/chat/completions',
      stream: turn % 2 === 0,
      promptTokens: turn % 100,
      maxTokens: 256,
      createdMs: Date.now(),
      seed: 1,
      fingerprint: 'fp_1',
      parameters: {},
      ignored: [],
    }
    await acknowledge(`reserved ${requestId}`, () => ledger.reserve(entry))
    ledger.checkpoint(requestId, 1)
    const completionTokens = (turn * 7) % 256
    await acknowledge(`settled ${requestId} ${completionTokens}`, () =>
      ledger.settle(entry, {
        outcome: 'completed',
        promptTokens: turn % 100,
        cachedTokens: 0,
        completionTokens,
      }),
    )
  }
}

async function acknowledge(line: string, act: () => Promise<void>): Promise<void> {
  if (mode === 'early') {
    writeSync(notes, `${line}\n`)
    await delay(2)
    return act()
  }
  await act()
  writeSync(notes, `${line}\n`)
}
