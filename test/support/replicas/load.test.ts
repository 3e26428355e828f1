import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ClientJournal } from '../journal/client-journal.ts'
import { awaitReply, runLoad } from './load.ts'

let folder: string
let journal: ClientJournal
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-load-'))
  journal = new ClientJournal(join(folder, 'journal'))
})
afterEach(() => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
})

type Reply = () => Response
const status = (code: number, error: string) => () =>
  Response.json({ error: { code: error } }, { status: code })
const usage = { prompt_tokens: 5, completion_tokens: 1 }
const whole = () => Response.json({ usage, choices: [{ message: { content: 'A bird.' } }] })
const delta = 'data: {"choices":[{"delta":{"content":"A"}}]}\n\n'
const cutStream = () => new Response(`${delta}data: {"choi`)
const thrown = (error: Error) => () => {
  throw error
}

/** Answers each request with the next reply, and aborts the load with the last one. */
function target(replies: readonly Reply[]) {
  const stop = new AbortController()
  let next = 0
  const post = async () => {
    const reply = replies[next++]
    if (next >= replies.length) stop.abort()
    return reply?.() ?? whole()
  }
  return { cluster: { replicas: [{ post }] }, signal: stop.signal }
}

test('statuses and errors that no fault explains are counted apart', async () => {
  const { cluster, signal } = target([
    status(429, 'insufficient_quota'),
    cutStream,
    status(503, 'overloaded'),
    status(504, 'timeout'),
    status(500, 'engine_failed'),
    thrown(new TypeError('fetch failed')),
    status(500, 'internal_error'),
    status(401, 'invalid_api_key'),
    status(400, 'invalid_value'),
    thrown(new SyntaxError('Unexpected token')),
    thrown(new DOMException('The operation timed out.', 'TimeoutError')),
  ])
  const seen = await runLoad(cluster, 5, { key: 'k', clients: 1, maxTokens: 1, signal, journal })
  expect(seen).toMatchObject({ refused: 1, cut: 1, unavailable: 4, tokens: 6 })
  expect(seen.unexpected).toEqual([
    '500 internal_error',
    '401 invalid_api_key',
    '400 invalid_value',
    'SyntaxError: Unexpected token',
    'TimeoutError: The operation timed out.',
  ])
})

test('waits until a request gets its whole reply, and fails if none does in time', async () => {
  const options = { key: 'k', maxTokens: 1, journal }
  const { cluster } = target([status(503, 'overloaded'), whole])
  expect(await awaitReply(cluster, 5, { ...options, timeoutMs: 5000 })).toMatchObject({ ok: 1 })
  expect(journal.acknowledged).toHaveLength(1)
  const dead = { replicas: [{ post: async () => status(503, 'overloaded')() }] }
  await expect(awaitReply(dead, 5, { ...options, timeoutMs: 200 })).rejects.toThrow(
    'no whole reply',
  )
})
