import { afterAll, beforeAll, expect, test } from 'vitest'
import { residentBytes, startProcess, type ServeProcess } from '../../support/process.ts'
import { Uploads } from '../../support/raw-http.ts'
import { question } from '../../support/service.ts'
import { recordFinding } from '../../support/reliability.ts'

let service: ServeProcess
let uploads: Uploads
beforeAll(async () => {
  service = await startProcess({ PIPIT_ENGINE: 'scripted', PIPIT_LOG_LEVEL: 'silent' })
  uploads = new Uploads(service.url, service.key)
})
afterAll(async () => {
  uploads.close()
  await service.dispose()
})

test('600 uploads of 1 MB that never end cost at most 150 MB, and others are served (T13, T14, F11, T49)', async () => {
  const answer = async () => {
    const response = await service.post({ ...question, max_tokens: 1 })
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  }
  for (let i = 0; i < 50; i += 1) await answer()
  const before = residentBytes(service.pid)
  let most = 0
  const body = Buffer.alloc(1024 * 1024 - 1, ' ')
  for (let i = 0; i < 600; i += 1) {
    const upload = uploads.begin({ 'content-length': body.length + 1 })
    await upload.send(body)
    if (i % 20 === 0) await answer()
    most = Math.max(most, residentBytes(service.pid) - before)
  }
  await answer()
  most = Math.max(most, residentBytes(service.pid) - before)
  expect(most).toBeLessThan(150_000_000)
  // The uploads give up their places in the queue once the time limit for sending a request has passed.
  const waiting = async () => /^pipit_requests_waiting (\S+)$/m.exec(await service.metrics())?.[1]
  expect(Number(await waiting())).toBeGreaterThan(0)
  await expect.poll(waiting, { timeout: 45_000, interval: 1000 }).toBe('0')
  recordFinding(
    'T49',
    `600 uploads of 1 MB that never end: ${Math.round(most / 1e6)} MB more memory.`,
  )
}, 120_000)
