import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ScriptedEngine } from '../engine/scripted-engine.ts'
import { ServiceError } from '../errors.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { silentLogger } from '../telemetry/logger.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { Ledger, type LedgerEntry } from '../usage/ledger.ts'
import { Admission } from './admission/admission.ts'
import { CompletionSettlement } from './completion-settlement.ts'
import { Interruption } from './interruption.ts'

let dataDir: string
let database: Database
let ledger: Ledger
let entries = 0
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pipit-'))
  database = await openDatabase(dataDir)
})
beforeEach(() => {
  ledger = Ledger.open(database, 'boot')
})
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true })
})

describe('a whole reply that ends before its reservation is reported as failed', () => {
  test('is complete if the reservation took effect, because the settlement has charged it', async () => {
    const write = database.write.bind(database)
    vi.spyOn(database, 'write').mockImplementationOnce(async (...given) => {
      await write(...given)
      throw unavailable()
    })
    const { entry, completing } = await complete()
    await completing
    expect(await ledger.find(entry.requestId)).toMatchObject({
      state: 'final',
      outcome: 'completed',
      prompt_tokens: 11,
      completion_tokens: 5,
    })
  })

  test('is refused and leaves no entry if the reservation did not take effect', async () => {
    const writing = Promise.withResolvers<number>()
    vi.spyOn(database, 'write').mockReturnValueOnce(writing.promise)
    const { entry, completing } = await complete()
    writing.reject(unavailable())
    await expect(completing).rejects.toMatchObject({ code: 'ledger_unavailable' })
    await expect.poll(() => ledger.holds(entry.requestId)).toBe(false)
    expect(await ledger.find(entry.requestId)).toBeUndefined()
  })
})

test('a request that the engine refuses after one of its choices has begun failed with the tokens so far', async () => {
  const { entry, settlement } = await endOneChoice()
  await settlement.fail(new ServiceError('overloaded', 'No engine has room.'))
  expect(await ledger.find(entry.requestId)).toMatchObject({
    outcome: 'engine_crash',
    error_code: 'overloaded',
    prompt_tokens: 11,
    cached_tokens: 7,
    completion_tokens: 5,
  })
})

test('a request for which nothing was computed costs nothing, unless one of its choices has begun', async () => {
  const failure = () =>
    new ServiceError('engine_failed', 'The engine failed.', { costsNothing: true })
  const entry = newEntry()
  const unbegun = new CompletionSettlement(services(), entry, newHold())
  await unbegun.reserve(11)
  await unbegun.fail(failure())
  expect(await ledger.find(entry.requestId)).toMatchObject({
    outcome: 'engine_crash',
    prompt_tokens: 0,
  })
  const cached = newEntry()
  const aborted = new CompletionSettlement(services(), cached, newHold())
  await aborted.reserve(11)
  aborted.endChoice(0, { completionTokens: 0, cachedTokens: 7 })
  await aborted.fail(failure())
  expect(await ledger.find(cached.requestId)).toMatchObject({ prompt_tokens: 0, cached_tokens: 0 })
  const begun = await endOneChoice()
  await begun.settlement.fail(failure())
  expect(await ledger.find(begun.entry.requestId)).toMatchObject({
    outcome: 'engine_crash',
    prompt_tokens: 11,
    completion_tokens: 5,
  })
})

test('a prompt that the engine did not begin before the client left costs nothing', async () => {
  const costs = async (...ends: { cachedTokens: number; isUnbegun?: true }[]) => {
    const entry = newEntry()
    const settlement = new CompletionSettlement(services(), entry, newHold())
    await settlement.reserve(11)
    ends.forEach((end, choice) => settlement.endChoice(choice, { completionTokens: 0, ...end }))
    await settlement.fail(new Interruption('client_abort'))
    return (await ledger.find(entry.requestId))?.prompt_tokens
  }
  const unbegun = { cachedTokens: 0, isUnbegun: true } as const
  expect(await costs(unbegun)).toBe(0)
  expect(await costs(unbegun, unbegun)).toBe(0)
  expect(await costs({ cachedTokens: 0 })).toBe(11)
  expect(await costs({ cachedTokens: 7 }, unbegun)).toBe(11)
  expect(await costs(unbegun, { cachedTokens: 7 })).toBe(11)
})

/** Completes a reply at once, while its reservation is being written. */
async function complete() {
  const { entry, settlement } = await endOneChoice()
  return { entry, completing: settlement.complete('completed', undefined) }
}

/** Reserves an entry, and ends a choice of 5 tokens. */
async function endOneChoice() {
  const entry = newEntry()
  const settlement = new CompletionSettlement(services(), entry, newHold())
  await settlement.reserve(11)
  settlement.addTokens(0, 5)
  settlement.endChoice(0, { completionTokens: 5, cachedTokens: 7 })
  return { entry, settlement }
}

function newHold() {
  return { reserve: () => undefined, end() {} }
}

function services() {
  const engine = new ScriptedEngine({
    slots: 1,
    contextTokens: 100,
    tokensPerSecond: 0,
    prefillMs: 0,
    reply: () => '',
  })
  const metrics = createMetrics(engine, new Admission({ slots: 1 }))
  return { ledger, metrics, logger: silentLogger }
}

function newEntry(): LedgerEntry {
  return {
    requestId: `req_${++entries}`,
    accountId: 'acct',
    keyId: 'key',
    model: 'm',
    route: '/r',
    stream: false,
    promptTokens: 0,
    maxTokens: 50,
    createdMs: 1,
    seed: 1,
    fingerprint: 'fp',
    parameters: {},
    ignored: [],
  }
}

const unavailable = () => new ServiceError('ledger_unavailable', 'The disk is stuck.')
