import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { NetworkNamespace, noNamespaces } from '../../support/network/network-namespace.ts'
import { residentBytes } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question, readStream } from '../../support/service.ts'
import { startWithin } from './start-within.ts'

const bitsPerSecond = 256_000
const clients = 4
const tokens = 1500

test('over a network of 256 kbit/s streams take long and arrive whole, hold no slots, and cost little memory (F41)', async ({
  skip,
}) => {
  const network = NetworkNamespace.create()
  if (network === undefined) return skip(noNamespaces)
  onTestFinished(() => network.remove())
  network.limitRate(bitsPerSecond)
  const service = await startWithin(network, { slots: clients, words: tokens })
  onTestFinished(() => service.dispose())
  const before = residentBytes(service.pid)

  const startMs = performance.now()
  const body = { ...question, stream: true, max_tokens: tokens, stream_options: usageToo }
  const streams = Array.from({ length: clients }, async () => {
    const stream = await readStream(await service.post(body))
    return { ...stream, tookMs: performance.now() - startMs }
  })
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, residentBytes(service.pid))), 200)
  onTestFinished(() => clearInterval(watch))
  // The engine finishes at once, and its slots are free long before the streams have arrived.
  await delay(3000)
  const other = await service.post({ ...question, n: clients, max_tokens: 1 })
  expect(other.status).toBe(200)
  await other.text()
  const otherMs = performance.now() - startMs
  const replies = await Promise.all(streams)
  const bytes = replies.reduce((sum, { raw }) => sum + raw.length, 0)
  for (const { status, done, events, tookMs } of replies) {
    expect([status, done]).toEqual([200, true])
    expect(events.at(-1)?.usage).toMatchObject({ completion_tokens: tokens })
    expect(tookMs).toBeGreaterThan(otherMs)
  }
  const seconds = Math.max(...replies.map(({ tookMs }) => tookMs)) / 1000
  expect((bytes * 8) / seconds).toBeLessThan(1.3 * bitsPerSecond)
  const grownMb = (most - before) / 1e6
  expect(grownMb).toBeLessThan(50)
  recordFinding(
    'F41',
    `${clients} streams, ${(bytes / 1e6).toFixed(1)} MB over 256 kbit/s: all whole after ${seconds.toFixed(0)} s, ${grownMb.toFixed(0)} MB more memory; a request for all slots had its reply after ${(otherMs / 1000).toFixed(1)} s.`,
  )
}, 180_000)

const usageToo = { include_usage: true }
