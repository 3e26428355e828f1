import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { createDatabase } from '../../test/support/postgres/start-postgres.ts'
import { median } from '../load.ts'
import { loadCore, onCore } from '../process.ts'
import { table } from '../report.ts'
import type { Part } from './goals.ts'
import { cell, describeFailures, measureSides, type Side } from './measure-sides.ts'
import { startBackends, startFront, stopAll } from './start-sides.ts'

const delayMs = 1
const load = { type: 'closed', callers: 32, durationMs: 6000 } as const

/** Measures what a PostgreSQL costs that is a network's delay away, beside one on the same machine. */
export async function measureDistantDatabase(rounds: number): Promise<Part> {
  const started: { stop: () => Promise<void> }[] = []
  try {
    const { upstream, postgres } = await startBackends(started, loadCore)
    const relay = await onCore(loadCore, () => startRelay(Number(new URL(postgres.url).port)))
    started.push(relay)
    const sides: Side[] = []
    const trips: string[] = []
    for (const [name, port] of [
      ['direct', undefined],
      ['through the relay', relay.port],
    ] as const) {
      const url = new URL(await createDatabase(postgres.url))
      if (port !== undefined) url.port = String(port)
      const front = await startFront(upstream, url.href)
      started.push(front)
      sides.push({ name, servers: [front], postgresPid: postgres.pid })
      trips.push(`${name} ${(await roundTripMs(url.href)).toFixed(2)} ms`)
    }
    const measured = await onCore(loadCore, () => measureSides(sides, load, rounds))
    const markdown = [
      `**A distant PostgreSQL.** Two fronts, one at a time, each with a database of its own: one connects to it directly, the other through a relay that`,
      `delays each direction by ${delayMs} ms. A statement that returns one number takes, in the median of 200: ${trips.join(', ')}.`,
      `${load.callers} callers for ${load.durationMs / 1000} s.` + describeFailures(measured),
      '',
      table(
        ['', 'requests/s', 'p50, ms', 'p99, ms', 'processor time of a request, ms'],
        measured.map(({ side, way, rounds: found }) => [
          `${side.name}, ${way}`,
          cell(found, 'requestsPerSecond', 0),
          cell(found, 'p50', 2),
          cell(found, 'p99', 2),
          cell(found, 'serverMs', 2),
        ]),
      ),
    ].join('\n')
    return { markdown, goals: [] }
  } finally {
    await stopAll(started)
  }
}

type Relay = { readonly port: number; readonly stop: () => Promise<void> }

async function startRelay(port: number): Promise<Relay> {
  const thread = new Worker(new URL('delaying-relay.ts', import.meta.url), {
    workerData: { port, delayMs },
  })
  const [listening] = (await once(thread, 'message')) as [number]
  const stop = async () => {
    await thread.terminate()
  }
  return { port: listening, stop }
}

/** Returns the median time of a statement that reads nothing from the disk. */
async function roundTripMs(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const times: number[] = []
    for (let index = 0; index < 200; index++) {
      const startMs = performance.now()
      await client.query('select 1')
      times.push(performance.now() - startMs)
    }
    return median(times)
  } finally {
    await client.end()
  }
}
