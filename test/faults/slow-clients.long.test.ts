import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFiles, residentBytes, startProcess, type ServeProcess } from '../support/process.ts'
import { openSocket } from '../support/raw-http.ts'
import { question } from '../support/service.ts'

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({ PIPIT_ENGINE: 'scripted', PIPIT_LOG_LEVEL: 'silent' })
})
afterAll(() => service.dispose())

const answer = () =>
  service.post({ ...question, max_tokens: 8 }, { headers: { connection: 'close' } })

test('2,000 half-open requests do not delay other requests, and are closed at the deadline (T14, F11)', async () => {
  const before = openFiles(service.pid)
  const sockets: Socket[] = []
  let closed = 0
  let openMax = 0
  const countOpen = () => (openMax = Math.max(openMax, openFiles(service.pid) - before))
  // A byte per second does not keep them open.
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
    expect((await answer()).status).toBe(200)
    countOpen()
    expect(openMax).toBeGreaterThan(1900)
    await expect.poll(() => closed, { timeout: 25_000 }).toBe(2000)
    await expect.poll(() => openFiles(service.pid)).toBeLessThan(before + 20)
    expect((await answer()).status).toBe(200)
    expect(residentBytes(service.pid)).toBeLessThan(400 * 1024 * 1024)
  } finally {
    clearInterval(drip)
    for (const socket of sockets) socket.destroy()
  }
}, 90_000)
