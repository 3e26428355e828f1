import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReplyGate } from '../../support/engine/reply-gate.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, readStream, startTestService, type TestService } from '../../support/service.ts'
import { recordFinding } from '../../support/reliability.ts'

const greedy = { ...question, temperature: 0 }
const emoji =
  'Grüße 你好 👩‍👩‍👧‍👦 🇪🇺 \u2028 \u0085\u2029data: [DONE]\u2028 line\r\nbreak "quoted" \\ data: [DONE]\n\ndata: x end'
const engine = scriptedEngine({
  reply: (messages) => {
    const last = messages.at(-1)?.content ?? ''
    if (last === 'emoji') return emoji
    return `You said: ${last} `.repeat(5)
  },
  failure: { marker: 'FAIL', afterTokens: 3 },
})
let service: TestService
beforeAll(async () => {
  service = await startTestService({ engine })
})
afterAll(() => service.close())

const user = (content: string) => ({ ...greedy, messages: [{ role: 'user', content }] })

test('a stream has only data lines, blank lines and comments, and ends with [DONE] (§4.2)', async () => {
  const { raw, events, done } = await service.stream(greedy)
  for (const line of raw.split('\n')) expect(line).toMatch(/^(data: .+|:.*|)$/)
  expect(done).toBe(true)
  expect(raw.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(raw.match(/\[DONE\]/g)).toHaveLength(1)
  for (const event of events) expect(Array.isArray(event.choices)).toBe(true)
})

test('the role comes first, then text, then the finish reason, all under one id (§2.3)', async () => {
  const { events } = await service.stream(greedy)
  expect(events[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' })
  expect(events.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' })
  for (const event of events.slice(0, -1)) expect(event.choices[0]?.finish_reason).toBeNull()
  expect(new Set(events.map((event) => event['id'])).size).toBe(1)
  expect(new Set(events.map((event) => event['created'])).size).toBe(1)
  for (const event of events)
    expect(event).toMatchObject({ object: 'chat.completion.chunk', model: 'svc-o1-mini' })
})

test('the joined deltas equal the text of the same request without `stream` (§4.2.5)', async () => {
  for (const body of [greedy, user('emoji'), { ...greedy, max_tokens: 3 }]) {
    const completion = (await (await service.post(body)).json()) as {
      choices: { message: { content: string } }[]
    }
    expect((await service.stream(body)).text).toBe(completion.choices[0]?.message.content)
  }
})

test('a text with line breaks and [DONE] stays inside its event (T29)', async () => {
  const { raw, text, done } = await service.stream(user('emoji'))
  expect([text.trim(), done]).toEqual([emoji, true])
  // Python's `str.splitlines` also ends a line at these three characters, which JSON may have raw.
  const lines = raw.split(/[\n\u0085\u2028\u2029]/)
  for (const line of lines) expect(line).toMatch(/^(data: (\{.+\}|\[DONE\])|:.*|)$/)
  expect(lines.filter((line) => line === 'data: [DONE]')).toHaveLength(1)
})

test('usage comes only with include_usage, in one last chunk without choices', async () => {
  const without = await service.stream(greedy)
  expect(without.events.every((event) => !('usage' in event))).toBe(true)
  const { events } = await service.stream({ ...greedy, stream_options: { include_usage: true } })
  expect(events.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } })
  for (const event of events.slice(0, -1)) expect(event['usage']).toBeNull()
})

test('[DONE] means that the usage is on disk', async () => {
  const { headers, events } = await service.stream({
    ...greedy,
    stream_options: { include_usage: true },
  })
  const usage = events.at(-1)?.usage as { prompt_tokens: number; completion_tokens: number }
  const row = service
    .ledgerRows()
    .find((entry) => entry['request_id'] === headers.get('x-request-id'))
  expect(row).toMatchObject({
    state: 'final',
    outcome: 'completed',
    stream: 1,
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
  })
})

test('a failure after the first token sends an error event, no [DONE], and cuts the connection', async () => {
  const body = JSON.stringify({ ...user('please FAIL now'), stream: true })
  const { raw, clean } = await new Promise<{ raw: string; clean: boolean }>((resolve, reject) => {
    const request = httpRequest(`${service.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    })
    request.on('response', (response) => {
      let raw = ''
      response.setEncoding('utf8')
      response.on('data', (text: string) => (raw += text))
      response.on('error', () => {})
      response.on('close', () => resolve({ raw, clean: response.complete }))
    })
    request.on('error', reject)
    request.end(body)
  })
  const last = JSON.parse(raw.trim().split('\n').at(-1)!.slice('data: '.length))
  expect(last).toMatchObject({
    error: { code: 'engine_failed', type: 'server_error', param: null },
    choices: [{ index: 0, delta: {}, finish_reason: 'error' }],
  })
  expect([raw.includes('[DONE]'), clean]).toEqual([false, false])
})

test('a failure without `stream` is a 500 with the same code', async () => {
  const response = await service.post(user('please FAIL now'))
  expect([response.status, (await response.json()) as object]).toMatchObject([
    500,
    { error: { code: 'engine_failed', type: 'server_error' } },
  ])
})

test('a faulty streaming request gets an error status, not a stream', async () => {
  const cases: [number, object][] = [
    [400, { ...greedy, max_tokens: 2049 }],
    [404, { ...greedy, model: 'gpt-4' }],
    [400, user('word '.repeat(5000))],
  ]
  for (const [status, body] of cases) {
    const response = await service.post({ ...body, stream: true })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ])
  }
  expect((await service.post({ ...greedy, stream: true }, { key: 'wrong' })).status).toBe(401)
})

test('a caller that hangs up frees its slot, and its usage is on the ledger', async () => {
  const gate = new ReplyGate({ afterTokens: 2 })
  const held = scriptedEngine({ slots: 1, gate: gate.gate })
  const own = await startTestService({ engine: held })
  try {
    const gone = new AbortController()
    const body = { ...question, max_tokens: 2048, stream: true }
    const response = await own.post(body, { signal: gone.signal })
    await response.body!.getReader().read()
    await expect.poll(() => gate.held).toBe(1)
    expect(held.stats().slotsBusy).toBe(1)
    gone.abort()
    await expect.poll(() => held.stats().slotsBusy).toBe(0)
    await expect
      .poll(() => own.ledgerRows())
      .toMatchObject([{ state: 'final', outcome: 'client_abort', completion_tokens: 2 }])
    expect((await own.post({ ...question, max_tokens: 1 })).status).toBe(200)
  } finally {
    await own.close()
  }
})

test('a stop cuts a running stream after PIPIT_GRACE_SECONDS, with an error event (T59)', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-grace-'))
  const own = await startTestService({
    engine: scriptedEngine({ gate: new ReplyGate().gate }),
    environment: { PIPIT_GRACE_SECONDS: '1' },
    dataDir,
  })
  try {
    const response = await own.post({ ...question, max_tokens: 2048, stream: true })
    const stoppedMs = performance.now()
    const [stream] = await Promise.all([readStream(response), own.close()])
    // The reply never ends by itself.
    expect(stream.done).toBe(false)
    expect(stream.events.at(-1)?.error?.code).toBe('shutting_down')
    const graceMs = Math.round(performance.now() - stoppedMs)
    expect(graceMs).toBeGreaterThanOrEqual(990)
    // Without the setting, the stream would be cut after 30 s.
    expect(graceMs).toBeLessThan(15_000)
    recordFinding(
      'T59',
      `With PIPIT_GRACE_SECONDS=1, a stream was cut ${graceMs} ms after the stop.`,
    )
    expect(own.ledgerRows()).toMatchObject([{ state: 'final', outcome: 'shutdown' }])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})
