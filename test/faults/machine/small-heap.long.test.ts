import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccountWithKey } from '../../support/accounts.ts'
import { residentBytes, startProcess, type ServeProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'

const heapMiB = 128
const keys = 5
const requestsOfKey = 40
const mebibyte = 1024 * 1024

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({
    PIPIT_ENGINE: 'scripted',
    PIPIT_SCRIPTED_TOKENS_PER_SECOND: '10',
    NODE_OPTIONS: `--max-old-space-size=${heapMiB}`,
  })
})
afterAll(() => service.dispose())

test('with a heap of 128 MiB, 200 requests of nearly 1 MiB are answered or refused, and the service goes on (F25)', async () => {
  const others = await Promise.all(
    Array.from({ length: keys - 1 }, (_, i) => addAccountWithKey(service, `other ${i}`)),
  )
  const allKeys = [service.key, ...others.map(({ key }) => key)]
  const small = async (key: string) => {
    const response = await service.post({ ...question, max_tokens: 1 }, { key })
    await response.arrayBuffer()
    return response.status
  }
  for (const key of allKeys) await expect.poll(() => small(key)).toBe(200)

  // Each character takes two bytes in memory, and three on the wire.
  const content = '☃'.repeat(300_000)
  const body = { ...question, max_tokens: 4, messages: [{ role: 'user', content }] }
  let peak = 0
  const sampling = setInterval(() => (peak = Math.max(peak, residentBytes(service.pid))), 20)
  const statuses = await Promise.all(
    allKeys.flatMap((key) =>
      Array.from({ length: requestsOfKey }, async () => {
        const response = await service.post(body, { key })
        await response.arrayBuffer()
        return response.status
      }),
    ),
  ).finally(() => clearInterval(sampling))
  const counts = Object.groupBy(statuses, String)
  for (const status of Object.keys(counts)) expect(['200', '400', '429', '503']).toContain(status)
  expect(Object.keys(counts)).toEqual(expect.arrayContaining(['200', '429']))
  expect(await small(service.key)).toBe(200)
  expect(await service.kill('SIGTERM')).toBe(0)
  const summary = Object.entries(counts).map(([status, all]) => `${all?.length} got ${status}`)
  recordFinding(
    'F25',
    `With a heap of ${heapMiB} MiB (--max-old-space-size) ${statuses.length} requests of 0.9 MiB at once by ${keys} keys: ${summary.join(', ')}. The process had at most ${Math.round(peak / mebibyte)} MiB and went on.`,
  )
}, 60_000)
