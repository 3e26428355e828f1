import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findLlamaServer, startLlamaServer } from '../../support/upstream/llama-server.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { expectLedgerCounts } from '../../support/upstream/ledger-counts.ts'
import { runCli } from '../../support/process.ts'
import { question, readStream } from '../../support/service.ts'

const binary = findLlamaServer()
const patient = { firstByteMs: 60_000, idleMs: 30_000, probeMs: 5000, probeEveryMs: 1000 }
let upstream: Awaited<ReturnType<typeof startLlamaServer>>
let service: Awaited<ReturnType<typeof startFrontedService>>
beforeAll(async () => {
  if (binary === undefined) return
  upstream = await startLlamaServer(binary)
  const settings = { urls: [upstream.url], flavour: 'llama-server', slots: 4 } as const
  service = await startFrontedService(settings, patient)
}, 180_000)
afterAll(async () => {
  if (binary === undefined) return
  await service.close()
  await upstream.close()
})
beforeEach(({ skip }) =>
  skip(binary === undefined, 'no llama-server is built: run bench/peers/llama-server.sh'),
)

/** Rules that llama-server breaks, with the reason. */
const knownFailures = {
  'json_schema.unknown': 'it ignores keywords that it cannot enforce',
  'tools.forced': 'it ignores tool_choice for a template without tools, and we call that a fault',
  'tools.format': 'it takes no response_format beside tools, so we refuse it by name',
  tokenize: 'its tokens are not listed',
}

test(
  '`pipit check` finds nothing but what llama-server cannot do',
  { timeout: 300_000 },
  async () => {
    const { stdout } = await runCli(['check', service.url, '--key', service.key, '--json'])
    const { rules } = JSON.parse(stdout) as { rules: { id: string; verdict: string }[] }
    const failed = rules.filter(({ verdict }) => verdict === 'FAIL').map(({ id }) => id)
    expect(failed.toSorted()).toEqual(Object.keys(knownFailures).toSorted())
  },
)

test('the tokens that it reports are those of the ledger', () => expectLedgerCounts(service))

const long = {
  messages: [{ role: 'user', content: 'Write a long story.' }],
  max_tokens: 2048,
  temperature: 1,
  logit_bias: { 2: -100, 0: -100, 1: -100, 3: -100 },
}

test('a client that hangs up frees the slot of llama-server, and pays for what it got', async () => {
  const leaving = new AbortController()
  const init = { signal: leaving.signal }
  const response = await service.post({ ...question, ...long, stream: true }, init)
  const id = response.headers.get('x-request-id')
  const reader = response.body?.getReader()
  await reader?.read()
  await expect.poll(() => upstream.busySlots(), { timeout: 10_000 }).toBe(1)
  leaving.abort()
  await expect.poll(() => upstream.busySlots(), { timeout: 10_000 }).toBe(0)
  const rowOf = () => service.ledgerRows().find((each) => each['request_id'] === id)
  await expect.poll(() => rowOf()?.['outcome'], { timeout: 10_000 }).toBe('client_abort')
  // The tokens come from llama-server's running count, not from our upper bound in bytes.
  expect(Number(rowOf()?.['prompt_tokens'])).toBeLessThan(40)
  expect(Number(rowOf()?.['completion_tokens'])).toBeGreaterThan(0)
})

test('its load is read from its metrics, with the requests of other clients', async () => {
  const { host, port } = new URL(upstream.url)
  const settings = { flavour: 'llama-server', slots: 4 } as const
  // Two names of one server, since a single one is not asked.
  const urls = [`http://${host}`, `http://localhost:${port}`]
  const other = await startFrontedService({ ...settings, urls }, { ...patient, probeEveryMs: 300 })
  const leaving = new AbortController()
  try {
    const loads = () => other.engine.upstreams().map(({ load }) => load)
    await expect.poll(loads).toEqual(urls.map(() => ({ running: 0, waiting: 0 })))
    const init = { signal: leaving.signal }
    const response = await service.post({ ...question, ...long, stream: true }, init)
    await response.body?.getReader().read()
    await expect.poll(loads).toEqual(urls.map(() => ({ running: 1, waiting: 0 })))
    leaving.abort()
    await expect.poll(() => upstream.busySlots()).toBe(0)
  } finally {
    leaving.abort()
    await other.close()
  }
})

test('a killed llama-server ends running replies with an error, and later ones with 503', async () => {
  // The head of the response comes with the first tokens.
  const running = await service.post({ ...question, ...long, stream: true })
  expect(running.status).toBe(200)
  await upstream.close()
  const { done, events } = await readStream(running)
  expect(done).toBe(false)
  expect(events.at(-1)?.error).toMatchObject({ code: 'engine_failed' })
  expect((await service.post(question)).status).toBe(503)
})
