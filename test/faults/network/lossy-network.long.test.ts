import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readLedger } from '../../support/journal/check-journal.ts'
import { NetworkNamespace, noNamespaces } from '../../support/network/network-namespace.ts'
import { openFiles } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question, readStream } from '../../support/service.ts'
import { startWithin } from './start-within.ts'

const percent = 5
const clients = 16
const lossMs = 20_000
/** Tokens of a whole reply, which takes two seconds. */
const tokens = 100

test('on a network that loses 5 % of the packets and resets connections, every request has one end, and none stays (F42)', async ({
  skip,
}) => {
  const network = NetworkNamespace.create()
  if (network === undefined) return skip(noNamespaces)
  onTestFinished(() => network.remove())
  const service = await startWithin(network, { slots: clients, words: 4000, tokensPerSecond: 50 })
  onTestFinished(() => service.dispose())
  const ask = (maxTokens: number) =>
    service.post({ ...question, stream: true, max_tokens: maxTokens })
  await readStream(await ask(1))
  const before = openFiles(service.pid)
  skip(!network.dropPackets(percent), 'nft is not installed')

  let whole = 0
  const endMs = performance.now() + lossMs
  const callers = Array.from({ length: clients }, async () => {
    while (performance.now() < endMs) {
      const { status, done } = await readStream(await ask(tokens))
      expect([status, done]).toEqual([200, true])
      whole += 1
    }
  })
  await Promise.all(callers)
  const { dropped } = network
  const cut = Array.from({ length: clients }, async () => readStream(await ask(2000)))
  const isRunning = () => open(service.dataDir).length
  await expect.poll(isRunning, { timeout: 10_000 }).toBe(clients)
  await delay(1000)
  network.resetConnections()
  for (const { done } of await Promise.all(cut)) expect(done).toBe(false)
  // The engine would need 40 s for these replies.
  await expect.poll(isRunning, { timeout: 15_000 }).toBe(0)
  expect((await readStream(await ask(1))).done).toBe(true)
  await expect.poll(() => openFiles(service.pid), { timeout: 15_000 }).toBeLessThan(before + 10)

  const rows = readLedger(service.dataDir)
  const outcomes = Map.groupBy(rows, ({ outcome }) => outcome)
  expect(outcomes.get('client_abort')?.length).toBe(clients)
  expect(rows.length).toBe(whole + clients + 2)
  expect(dropped).toBeGreaterThan(whole)
  recordFinding(
    'F42',
    `${dropped} packets of ${clients} callers were lost: ${whole} of ${whole} streams arrived whole. Of ${clients} more, all connections were reset: each entry is settled, and all slots and connections were free again.`,
  )
}, 180_000)

function open(dataDir: string): object[] {
  return readLedger(dataDir).filter(({ state }) => state !== 'final')
}
