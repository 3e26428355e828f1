import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../src/storage/database.ts'
import { Ledger } from '../../src/usage/ledger.ts'
import { ledgerEntry } from '../support/ledger-entry.ts'

// Reserves and settles entries and notes each acknowledgement, until this process is killed. In the mode `early` it
// notes an acknowledgement before the commit, an error that the test must detect.
const [dataDir = '', bootId = '', mode = 'honest'] = process.argv.slice(2)
const database = await openDatabase(dataDir, { serve: true })
const ledger = Ledger.open(database, bootId)
await ledger.closeOrphans()
// A file keeps the notes of a killed writer and, unlike a pipe, never blocks.
const notes = openSync(join(dataDir, 'acknowledged'), 'a')
process.stdout.write('ready\n')
await Promise.all(Array.from({ length: 16 }, (_, lane) => work(lane)))

async function work(lane: number): Promise<void> {
  for (let turn = 0; ; turn++) {
    const requestId = `${bootId}-${lane}-${turn}`
    const entry = ledgerEntry(requestId, {
      accountId: `acct_${lane % 3}`,
      stream: turn % 2 === 0,
      promptTokens: turn % 100,
      createdMs: Date.now(),
    })
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
