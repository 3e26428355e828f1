import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { journalFaults, readLedgerRows } from '../../support/journal/check-journal.ts'
import {
  type Acknowledged,
  askAndNote,
  ClientJournal,
} from '../../support/journal/client-journal.ts'
import { newDataDir, startProcess } from '../../support/process.ts'
import { randomNumbers } from '../../support/random/random-numbers.ts'
import { recordFinding } from '../../support/reliability.ts'
import { Disk, type Loss } from './disk.ts'
import { acknowledgements, type Event, fileNames, readRecording } from './recording.ts'

const seed = 6
const imagesMin = 200
const repliesMin = 300
const clients = 8

const folder = newDataDir()
// Images of 40 MB are written faster to memory than to a disk.
const imagesIn = existsSync('/dev/shm') ? '/dev/shm' : folder
const images = mkdtempSync(join(imagesIn, 'pipit-images-'))
const recorder = join(folder, 'recorder.so')
beforeAll(() => {
  const source = join(import.meta.dirname, 'recorder.cc')
  const flags = ['-std=c++17', '-O2', '-fPIC', '-shared', '-Wall', '-Wextra']
  execFileSync('g++', [...flags, '-o', recorder, source, '-ldl'])
})
afterAll(() => {
  for (const one of [folder, images]) rmSync(one, { recursive: true, force: true })
})

test('every acknowledged reply is on disk after a power loss at any moment (F06, G1)', async () => {
  const { events, acknowledged } = await record()
  const sentAt = acknowledgements(events)
  expect(acknowledged.filter(({ requestId }) => !sentAt.has(requestId))).toEqual([])
  const moments = momentsOf(events, [...sentAt.values()])
  const disk = new Disk(events)
  const random = randomNumbers(seed)
  const faults: string[] = []
  for (const [moment, loss] of moments) {
    const known = acknowledged.filter(({ requestId }) => sentAt.get(requestId)! < moment)
    const found = check(disk.failAt(moment, loss, random), known)
    const lossText = loss.type === 'torn' ? `torn at ${loss.blockBytes}` : loss.type
    faults.push(...found.map((fault) => `event ${moment}, ${lossText}: ${fault}`))
  }
  expect(faults.slice(0, 10)).toEqual([])
  expect(moments.length).toBeGreaterThanOrEqual(imagesMin)
  recordFinding(
    'F06',
    `${moments.length} images of the disk (seed ${seed}) from ${events.length} recorded calls: each opens, is intact and has every reply acknowledged before it, ${acknowledged.length} in all. Each acknowledgement was sent after the flush of its entry.`,
  )
}, 240_000)

/** Records a service under load until it has written its journal back into the database, then kills it. */
async function record(): Promise<{ events: Event[]; acknowledged: readonly Acknowledged[] }> {
  const recording = join(folder, 'recording')
  const dataDir = join(folder, 'data')
  const journal = new ClientJournal(join(images, 'journal'))
  mkdirSync(dataDir)
  const service = await startProcess(
    {
      PIPIT_ENGINE: 'scripted',
      PIPIT_SCRIPTED_TOKENS_PER_SECOND: '0',
      PIPIT_LOG_LEVEL: 'silent',
      LD_PRELOAD: recorder,
      RECORD_TO: recording,
    },
    dataDir,
  )
  try {
    const database = join(dataDir, 'pipit.db')
    const before = statSync(database).mtimeMs
    const isDone = () =>
      journal.acknowledged.length >= repliesMin && statSync(database).mtimeMs > before
    const endMs = performance.now() + 60_000
    const ask = async (client: number) => {
      for (let turn = 0; !isDone() && performance.now() < endMs; turn += 1) {
        const stream = turn % 2 === 0
        const body = {
          model: 'svc-o1-mini',
          messages: [{ role: 'user', content: `Request ${client}.${turn}` }],
          max_tokens: 100,
          stream,
          ...(stream && { stream_options: { include_usage: true } }),
        }
        await askAndNote(journal, service.post, body, `key-${client}-${turn}`)
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, client) => ask(client)))
    expect(isDone(), 'the journal of the database was written back').toBe(true)
  } finally {
    await service.kill('SIGKILL')
    journal.close()
  }
  return { events: readRecording(recording), acknowledged: journal.acknowledged }
}

const losses: readonly Loss[] = [
  { type: 'all' },
  { type: 'some' },
  { type: 'torn', blockBytes: 512 },
  { type: 'torn', blockBytes: 4096 },
  { type: 'none' },
]

/**
 * Returns moments of power loss: some right after acknowledgements, with all unflushed writes lost, and some at random.
 */
function momentsOf(events: readonly Event[], sends: readonly number[]): [number, Loss][] {
  const random = randomNumbers(seed)
  const first = Math.min(...sends)
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from))
  const afterSends = sends
    .toSorted((a, b) => a - b)
    .filter((_, index) => index % Math.ceil(sends.length / 100) === 0)
    .map((moment): [number, Loss] => [moment + 1, { type: 'all' }])
  const writesBack = events.flatMap((event, index) =>
    index > first && event.type === 'write' && event.file === 'pipit.db' ? [index] : [],
  )
  const [backFrom, backTo] = [writesBack[0]!, writesBack.at(-1)!]
  const others = Array.from({ length: 120 }, (_, index): [number, Loss] => [
    index % 3 === 0 ? between(backFrom - 5, backTo + 5) : between(first, events.length),
    losses[index % losses.length]!,
  ])
  return [...afterSends, ...others].toSorted(([a], [b]) => a - b)
}

/** Opens the files as a start would, and lists what is wrong with them. */
function check(files: ReturnType<Disk['failAt']>, acknowledged: readonly Acknowledged[]): string[] {
  const image = join(images, 'image')
  rmSync(image, { recursive: true, force: true })
  mkdirSync(image)
  for (const name of fileNames) writeFileSync(join(image, name), files.get(name) ?? '')
  try {
    const database = new Sqlite(join(image, 'pipit.db'), { fileMustExist: true })
    try {
      const integrity = database.pragma('integrity_check', { simple: true })
      if (integrity !== 'ok') return [`the database is damaged: ${String(integrity)}`]
      return journalFaults({ acknowledged, rows: readLedgerRows(database) })
    } finally {
      database.close()
    }
  } catch (error) {
    return [`the database does not open: ${String(error)}`]
  }
}
