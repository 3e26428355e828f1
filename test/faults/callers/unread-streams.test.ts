import { afterEach, expect, test } from 'vitest'
import type { ScriptedEngine } from '../../../src/engine/scripted-engine.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { Uploads } from '../../support/raw-http.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'
import { recordFinding } from '../../support/reliability.ts'

let service: TestService
let uploads: Uploads
afterEach(async () => {
  uploads.close()
  await service.close()
})

const words = 200
/** A word of 8 KB, so that the reply does not fit into the buffers of a connection. */
const word = `${'Q'.repeat(8191)} `

async function serve(engine: ScriptedEngine): Promise<void> {
  service = await startTestService({ engine })
  uploads = new Uploads(service.url, service.key)
}

/** Asks for four choices and reads nothing of them. */
function askUnread(): ReturnType<Uploads['begin']> {
  const body = Buffer.from(JSON.stringify({ ...question, n: 4, max_tokens: 2048, stream: true }))
  const upload = uploads.begin({ 'content-length': body.length })
  upload.pause()
  void upload.send(body)
  return upload
}

test('an unread stream frees its slots when the engine ends, and is settled (T14, T43, F10, T51)', async () => {
  const engine = scriptedEngine({ reply: () => word.repeat(words) })
  await serve(engine)
  askUnread()
  await expect.poll(() => engine.stats().completionTokens).toBe(4 * words + 4)
  const endedMs = performance.now()
  await expect.poll(() => engine.stats().slotsBusy).toBe(0)
  // All slots are free for the next caller, long before the unread stream is cut.
  const other = await service.post({ ...question, n: 4, max_tokens: 1 })
  expect(other.status).toBe(200)
  const otherMs = Math.round(performance.now() - endedMs)
  recordFinding(
    'T51',
    `An unread stream of four choices: the next request for all slots had its reply ${otherMs} ms after the engine's end.`,
  )
  const settled = () => service.ledgerRows().map(({ outcome }) => outcome)
  await expect.poll(settled).toEqual(['completed', 'length'])
})

test('a reader that comes back finds the whole reply (T51)', async () => {
  const engine = scriptedEngine({ reply: () => word.repeat(words) })
  await serve(engine)
  const stream = askUnread()
  await expect.poll(() => engine.stats().slotsBusy + service.ledgerRows().length).toBe(1)
  stream.resume()
  await expect.poll(() => stream.received.endsWith('data: [DONE]\n\n\r\n0\r\n\r\n')).toBe(true)
  expect(stream.received.split('Q').length - 1).toBe(4 * words * 8191)
})

test('unread streams of one key hold a bounded amount: the one that would hold more is cut (T14, F10, T51)', async () => {
  const engine = scriptedEngine({ reply: () => word.repeat(words) })
  await serve(engine)
  for (let i = 0; i < 10; i += 1) {
    askUnread()
    await expect.poll(() => service.ledgerRows().filter(isFinal).length).toBe(i + 1)
  }
  // Each stream is 6.5 MB, of which the operating system's socket buffers hold some MB.
  const outcomes = service.ledgerRows().map(({ outcome }) => outcome)
  expect(outcomes[0]).toBe('completed')
  expect(outcomes).toContain('client_abort')
  expect(engine.stats().slotsBusy).toBe(0)
})

const isFinal = ({ state }: Record<string, unknown>) => state === 'final'
