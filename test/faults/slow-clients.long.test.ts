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
  try {
    for (let i = 0; i < 2000; i += 1) {
      const socket = openSocket(service.url).on('error', () => {})
      socket.write('POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      sockets.push(socket)
    }
    await expect
      .poll(() => openFiles(service.pid), { timeout: 10_000 })
      .toBeGreaterThan(before + 1900)
    expect((await answer()).status).toBe(200)
    // A byte per second does not keep them open.
    const drip = setInterval(
      () => sockets.forEach((socket) => !socket.destroyed && socket.write('x')),
      1000,
    )
    try {
      await expect.poll(() => openFiles(service.pid), { timeout: 25_000 }).toBeLessThan(before + 20)
    } finally {
      clearInterval(drip)
    }
    expect((await answer()).status).toBe(200)
    expect(residentBytes(service.pid)).toBeLessThan(400 * 1024 * 1024)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}, 90_000)
