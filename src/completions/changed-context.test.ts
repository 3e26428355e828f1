import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Caller } from '../accounts/caller.ts'
import { ScriptedEngine } from '../engine/scripted-engine.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { silentLogger } from '../telemetry/logger.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { Ledger } from '../usage/ledger.ts'
import { RateLimits } from '../usage/limits/rate-limits.ts'
import { Admission } from './admission/admission.ts'
import type { CompletionSpec } from './completion.ts'
import { Idempotency } from './once/idempotency.ts'
import { runCompletion } from './run-completion.ts'

let dataDir: string
let database: Database
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pipit-'))
  database = await openDatabase(dataDir)
})
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true })
})

const caller: Caller = {
  accountId: 'acct',
  keyId: 'key',
  name: 'test',
  accountName: 'test',
  scopes: ['chat'],
  limits: {},
  accountLimits: {},
  createdMs: 0,
  expiresMs: undefined,
  revoked: new AbortController().signal,
}
const spec: CompletionSpec = {
  requestId: 'req',
  model: 'm',
  route: '/r',
  stream: true,
  messages: [{ role: 'user', content: 'Hello' }],
  choices: 1,
  generation: {
    maxTokens: 50,
    sampling: { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 },
    stop: [],
  },
  keptParameters: {},
  ignoredParameters: [],
}

let engine: ScriptedEngine
let contextTokens: number
beforeEach(() => {
  engine = new ScriptedEngine({ slots: 1, contextTokens: 100, tokensPerSecond: 0, prefillMs: 0 })
  contextTokens = 100
  const { info } = engine
  Object.defineProperty(engine, 'info', { get: () => ({ ...info, contextTokens }) })
})

/** Returns the work for which a request takes its slots. */
async function takenWork(): Promise<unknown> {
  const ledger = Ledger.open(database, 'boot')
  const admission = new Admission({ slots: 1 })
  const rateLimits = await RateLimits.open(database)
  const enter = rateLimits.enter.bind(rateLimits)
  // Replicas lease parts of limits from the database. Meanwhile another upstream may be the only one that is up.
  const reserve = async () => {
    contextTokens = 2
  }
  vi.spyOn(rateLimits, 'enter').mockImplementation((...given) =>
    Object.assign(enter(...given), { reserve }),
  )
  const services = {
    engine,
    admission,
    ledger,
    idempotency: new Idempotency(ledger),
    rateLimits,
    metrics: createMetrics(engine, admission),
    logger: silentLogger,
    completionTokens: { default: 256, max: 2048 },
    tellsSchema: false,
    now: Date.now,
    stopping: new AbortController().signal,
  }
  const place = admission.enter(caller)
  const takeSlots = vi.spyOn(place, 'takeSlots')
  const control = new AbortController()
  await runCompletion(services, { caller, place, control }, spec)
    .next()
    .catch(() => {})
  return takeSlots.mock.calls[0]?.[1]
}

test('the room for a reply is that of the context that held the prompt, also if it shrinks during a lease', async () => {
  expect(await takenWork()).toEqual({ promptTokens: 5, outputTokensMax: 50 })
})

test('a prompt of which only an upper bound is known takes no room from the reply', async () => {
  const tokens = new Int32Array(99)
  vi.spyOn(engine, 'prepare').mockResolvedValue({
    tokens,
    isBound: true,
    replies: tokens.slice(99),
  })
  expect(await takenWork()).toEqual({ promptTokens: 99, outputTokensMax: 50 })
})
