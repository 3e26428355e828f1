import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLedger } from '../../support/journal/check-journal.ts'
import { openFiles, startProcess, type ServeProcess } from '../../support/process.ts'
import { randomNumbers } from '../../support/random/random-numbers.ts'
import { openSocket } from '../../support/raw-http.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'

const clients = 500
const slots = 8

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({
    PIPIT_ENGINE: 'scripted',
    PIPIT_SLOTS: String(slots),
    PIPIT_SCRIPTED_TOKENS_PER_SECOND: '40',
  })
})
afterAll(() => service.dispose())

const metric = async (name: string) => {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(await service.metrics())?.[1]
  return Number(found ?? 0)
}
const timers = () => metric('nodejs_active_resources\\{type="Timeout"\\}')

/** Asks for a stream and hangs up after `afterMs`: before the request has a slot, or in the middle of the reply. */
function hangUp(afterMs: number): Promise<'refused' | 'ended' | 'hung up'> {
  return new Promise((resolve) => {
    const socket = openSocket(service.url).on('error', () => {})
    const body = JSON.stringify({ ...question, max_tokens: 64, stream: true })
    const lines = [
      'POST /v1/chat/completions HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: Bearer ${service.key}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
    let reply = ''
    socket.setEncoding('utf8').on('data', (text: string) => (reply += text))
    setTimeout(() => {
      socket.destroy()
      const isRefused = /^HTTP\/1\.1 [45]/.test(reply)
      resolve(isRefused ? 'refused' : reply.includes('[DONE]') ? 'ended' : 'hung up')
    }, afterMs)
  })
}

test('500 clients that hang up, waiting or in the middle of a stream, leave no slot, entry, timer or descriptor behind (F05)', async () => {
  expect((await service.post(question)).status).toBe(200)
  await expect.poll(() => metric('pipit_requests_running')).toBe(0)
  const before = { files: openFiles(service.pid), timers: await timers() }

  const random = randomNumbers(5)
  const startMs = performance.now()
  const ends = await Promise.all(
    Array.from({ length: clients }, () => hangUp(50 + Math.floor(random() * 1500))),
  )
  const hungUpMs = performance.now()
  await expect.poll(() => metric('pipit_requests_running'), { interval: 5 }).toBe(0)
  const freedMs = Math.round(performance.now() - hungUpMs)
  expect(await metric('pipit_requests_waiting')).toBe(0)
  const again = await Promise.all(Array.from({ length: slots }, () => service.post(question)))
  expect(again.map(({ status }) => status)).toEqual(Array(slots).fill(200))

  const open = () => readLedger(service.dataDir).filter(({ state }) => state !== 'final')
  await expect.poll(open).toEqual([])
  const aborted = readLedger(service.dataDir).filter(({ outcome }) => outcome === 'client_abort')
  expect(aborted.length).toBeGreaterThan(slots)
  expect(aborted.some(({ completion_tokens: tokens }) => tokens > 0)).toBe(true)
  await expect.poll(timers).toBeLessThanOrEqual(before.timers + slots)
  await expect.poll(() => openFiles(service.pid)).toBeLessThanOrEqual(before.files + slots)

  const count = (end: string) => ends.filter((each) => each === end).length
  recordFinding(
    'F05',
    `${clients} clients within ${Math.round(hungUpMs - startMs)} ms, seed 5: ${count('hung up')} hung up, ${count('refused')} were refused, ${count('ended')} ended. ${freedMs} ms later all ${slots} slots were free; ${aborted.length} entries are client_abort with ${aborted.reduce((sum, row) => sum + row.completion_tokens, 0)} tokens, none is open, and timers and descriptors are back at their numbers.`,
  )
})
