import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFiles, residentBytes, startProcess, type ServeProcess } from '../support/process.ts'
import { openSocket } from '../support/raw-http.ts'
import { recordFinding } from '../support/reliability.ts'
import { question } from '../support/service.ts'

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({ PIPIT_ENGINE: 'scripted', PIPIT_LOG_LEVEL: 'silent' })
})
afterAll(() => service.dispose())

const answer = () =>
  service.post({ ...question, max_tokens: 8 }, { headers: { connection: 'close' } })

/** Returns the median time of a reply, in ms. */
async function answerMs(): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 21; i += 1) {
    const startMs = performance.now()
    const response = await answer()
    expect(response.status).toBe(200)
    await response.text()
    times.push(performance.now() - startMs)
  }
  return times.toSorted((a, b) => a - b)[10] ?? NaN
}

test('2,000 half-open requests do not delay other requests, and are closed at the deadline (T14, F11)', async () => {
  await answerMs()
  const calmMs = await answerMs()
  const before = openFiles(service.pid)
  const sockets: Socket[] = []
  let closed = 0
  let openMax = 0
  const countOpen = () => (openMax = Math.max(openMax, openFiles(service.pid) - before))
  // Sends a byte per second, which must not keep the connections open.
  const drip = setInterval(
    () => sockets.forEach((socket) => !socket.destroyed && socket.write('x')),
    1000,
  )
  try {
    for (let i = 0; i < 2000; i += 1) {
      const socket = openSocket(service.url).on('error', () => {})
      socket.once('close', () => (closed += 1))
      socket.write('POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      sockets.push(socket)
      if (i % 100 !== 99) continue
      await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
      countOpen()
    }
    const besideMs = await answerMs()
    countOpen()
    expect(openMax).toBeGreaterThan(1900)
    await expect.poll(() => closed, { timeout: 25_000 }).toBe(2000)
    await expect.poll(() => openFiles(service.pid)).toBeLessThan(before + 20)
    expect((await answer()).status).toBe(200)
    expect(residentBytes(service.pid)).toBeLessThan(400 * 1024 * 1024)
    recordFinding(
      'F11',
      `Beside 2,000 half-open requests a reply took ${besideMs.toFixed(1)} ms, alone ${calmMs.toFixed(1)} ms (medians).`,
    )
    // A busy machine makes single replies slow, but not half of them.
    expect(besideMs).toBeLessThan(2 * calmMs + 10)
  } finally {
    clearInterval(drip)
    for (const socket of sockets) socket.destroy()
  }
}, 90_000)
