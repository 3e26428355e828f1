// Requests with which `npm run fuzz` found faults, each with the behaviour that must hold now.
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Logger } from '../../src/telemetry/logger.ts'
import { codeOf } from '../support/error-of.ts'
import { openSocket, rawStatus } from '../support/raw-http.ts'
import { question, startTestService, type TestService } from '../support/service.ts'

const errors: string[] = []
const ignore = () => {}
const logger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: (message) => errors.push(message),
}
const body = JSON.stringify(question)

let service: TestService
beforeAll(async () => {
  service = await startTestService({ logger })
})
afterAll(() => service.close())

const head = (length: number, more = '') =>
  `POST /v1/chat HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`

test('an unknown Expect header is ignored, and gets no 417 without an error code (T28)', async () => {
  const expectation = 'Expect: 200-ok\r\n'
  expect(await rawStatus(service.url, head(body.length, expectation) + body)).toBe(200)
})

test('CONNECT gets a 405 with an error code, and the connection ends (T28)', async () => {
  const connect = `CONNECT /v1/chat HTTP/1.1\r\nHost: x\r\n\r\n`
  expect(await rawStatus(service.url, connect)).toBe(405)
})

test('a client that closes the connection in the middle of its body writes no error to the log (T41)', async () => {
  const before = errors.length
  const socket = openSocket(service.url)
  await once(socket, 'connect')
  socket.write(head(1000) + body)
  // The service answers another request after it has read the bytes of this one.
  expect((await service.post(question)).status).toBe(200)
  socket.destroy()
  await once(socket, 'close')
  // By the time of this response, the service has noticed that the other connection is closed.
  for (let again = 0; again < 2; again += 1) expect((await service.post(question)).status).toBe(200)
  expect(errors.slice(before)).toEqual([])
})

// Compiling such a schema would block the engine's message loop: 12 kB for 0.9 s, and 19 kB for 2.4 s.
test('a schema whose alternatives collect hundreds of conditions is refused (T25, T47)', async () => {
  const choices = Array.from({ length: 7 }, (_, index) => ({
    anyOf: [{ maxLength: 100 + index }, { minLength: index }],
  }))
  const conditions = Array.from({ length: 600 }, (_, index) => ({ maxLength: 2000 + index }))
  const schema = { allOf: [...choices, ...conditions] }
  const format = { type: 'json_schema', json_schema: { name: 'x', schema } }
  const response = await service.post({ ...question, response_format: format })
  expect(await codeOf(response)).toEqual([400, 'unsupported_value'])
})
