import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSocket } from '../../support/raw-http.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { threadCpuUsage } from '../../support/engine/processor.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_ENGINE: 'embedded' } })
})
afterAll(() => service.close())

const start = `{"model":"${question.model}","messages":[{"role":"user","content":"`

/** Measures the processor time of the event loop's longest turn while `work` runs, whatever else the machine does. */
async function longestTurnMs(work: () => Promise<void>): Promise<number> {
  let longestUs = 0
  let isDone = false
  let before = threadCpuUsage()
  const turn = () => {
    const now = threadCpuUsage()
    longestUs = Math.max(longestUs, now.user + now.system - before.user - before.system)
    before = now
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return longestUs / 1000
}

/** Sends all bodies but their last byte, then all last bytes at once, and waits for the responses. */
async function finishTogether(count: number, body: Buffer): Promise<number> {
  const sockets: Socket[] = []
  const received: Socket[] = []
  const onRequest = (message: unknown) =>
    received.push((message as { request: IncomingMessage }).request.socket)
  subscribe('http.server.request.start', onRequest)
  try {
    const uploads = Array.from({ length: count }, async () => {
      const socket = openSocket(service.url).on('error', () => {})
      sockets.push(socket)
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      )
      await new Promise((resolve) => socket.write(body.subarray(0, -1), resolve))
    })
    await Promise.all(uploads)
    const hasAll = () => received.every(({ bytesRead }) => bytesRead >= body.length - 1)
    await expect.poll(() => received.length === count && hasAll(), { timeout: 20_000 }).toBe(true)
    const responses = sockets.map(
      (socket) => new Promise((resolve) => socket.once('data', resolve)),
    )
    return await longestTurnMs(async () => {
      for (const socket of sockets) socket.write(body.subarray(-1))
      await Promise.all(responses)
    })
  } finally {
    unsubscribe('http.server.request.start', onRequest)
    for (const socket of sockets) socket.destroy()
  }
}

const members = Array.from({ length: 49_000 }, (_, i) => `"${i.toString(36)}":1`).join()
const bodies: Record<string, string> = {
  '49,000 members': `${start}Hi"}],"other":{${members}}}`,
  '340,000 empty arrays': `${start}Hi"}],"other":[${'[],'.repeat(340_000)}[]]}`,
}

test.each(Object.entries(bodies))(
  'fifteen bodies of %s that end together take turns: none is longer than with one (T13, T15, T18, T49)',
  async (_name, text) => {
    const body = Buffer.from(text)
    await finishTogether(1, body)
    const alone = await finishTogether(1, body)
    const together = await finishTogether(15, body)
    expect(together).toBeLessThan(4 * alone + 30)
  },
)
