import { expect, test } from 'vitest'
import type { ApiKeyRecord } from '../../../accounts/api-key-store.ts'
import { fromKeyChanges } from './from-key-changes.ts'
import { toInvite, toIssuedInvite } from './to-links.ts'
import { toLive } from './to-live.ts'
import { toMe } from './to-me.ts'
import { toPanelAccount } from './to-panel-account.ts'
import { toPanelKey } from './to-panel-key.ts'
import { toPanelSession } from './to-panel-session.ts'
import { toUsageCsv } from './export/to-usage-csv.ts'
import { addDetails } from '../../../usage/times/usage-details.ts'
import { toDetailedSums, toUsageSums } from './to-usage-sums.ts'

const record: ApiKeyRecord = {
  id: 'key_1',
  accountId: 'acc_1',
  name: 'laptop',
  hint: 'sk-pipit-…abcd',
  state: 'active',
  scopes: ['chat', 'read'],
  limits: { tokensPerDay: 100 },
  createdMs: 1,
  expiresMs: undefined,
  previousExpiresMs: undefined,
  lastUsedMs: 2,
}
const sums = {
  requests: 3,
  errors: 1,
  promptTokens: 20,
  cachedTokens: 8,
  completionTokens: 9,
  latencies: [],
}

test('a key has null for every time and limit that it does not have', () => {
  expect(toPanelKey(record, {})).toMatchObject({
    hint: 'sk-pipit-…abcd',
    scopes: ['chat', 'read'],
    limits: { tokens_per_day: 100, tokens_per_month: null },
    use: { tokens_per_day: null },
    expires_ms: null,
    previous_expires_ms: null,
    last_used_ms: 2,
  })
})

test('changes of a key keep absent members absent, and null as null', () => {
  expect(fromKeyChanges({ name: 'phone' })).toEqual({ name: 'phone' })
  expect(fromKeyChanges({ expires_ms: null, limits: { tokens_per_day: null } })).toEqual({
    expiresMs: null,
    limits: { tokensPerDay: null },
  })
})

test('an account that was never seen has null for that, and one without requests has used nothing', () => {
  const account = {
    id: 'acc_1',
    name: 'Ada',
    email: null,
    role: null,
    disabled: false,
    createdMs: 1,
    lastSeenMs: undefined,
    keys: 2,
    limits: {},
  }
  const use = { requests: 3, promptTokens: 4, completionTokens: 5 }
  expect(toPanelAccount(account, use)).toMatchObject({
    last_seen_ms: null,
    use: { requests: 3, prompt_tokens: 4, completion_tokens: 5 },
    limits: { tokens_per_day: null },
  })
  expect(toPanelAccount(account, undefined).use).toEqual({
    requests: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
  })
})

test("a session's token is its id, never the text of the cookie", () => {
  const session = {
    id: 'ses_1',
    created_at: '2026-01-01',
    expires_at: '2026-01-08',
    ip_address: null,
    user_agent: 'Firefox',
  }
  expect(toPanelSession(session, 'ses_1')).toMatchObject({ token: 'ses_1', current: true })
  expect(toPanelSession(session, 'ses_2')).toMatchObject({ token: 'ses_1', current: false })
})

test('sums without a completed request have no latency', () => {
  expect(toUsageSums(sums, undefined)).toEqual({
    requests: 3,
    errors: 1,
    prompt_tokens: 20,
    cached_tokens: 8,
    completion_tokens: 9,
    p50_ms: null,
    p95_ms: null,
    cost: null,
  })
})

test('usage as CSV has one line a point, and an empty cell for null', () => {
  const point = {
    begin_ms: 0,
    ...toDetailedSums(sums, { ...addDetails([]), refused: 1 }, undefined),
  }
  expect(toUsageCsv([point], null)).toBe(
    'begin,requests,errors,prompt_tokens,cached_tokens,completion_tokens,p50_ms,p95_ms,rejected,' +
      'first_token_p50_ms,first_token_p95_ms,queue_p50_ms,queue_p95_ms\r\n' +
      '1970-01-01T00:00:00.000Z,3,1,20,8,9,,,1,,,,\r\n',
  )
})

test('a signed-in user sees the own account with its limits', () => {
  const user = {
    id: 'user_1',
    email: 'ada@example.com',
    name: 'Ada',
    role: 'member',
    twoFactorEnabled: true,
    account: { id: 'acc_1', name: 'Lab', createdMs: 1, limits: { tokensPerDay: 100 } },
  } as const
  expect(toMe(user, true)).toEqual({
    user: {
      id: 'user_1',
      email: 'ada@example.com',
      name: 'Ada',
      role: 'member',
      two_factor_enabled: true,
      has_password: true,
    },
    account: { id: 'acc_1', name: 'Lab', limits: expect.objectContaining({ tokens_per_day: 100 }) },
  })
})

test('an issued invite has its link, and a listed invite has not', () => {
  expect(toIssuedInvite({ id: 'inv_1', url: 'http://127.0.0.1/x', expiresMs: 9 })).toEqual({
    id: 'inv_1',
    url: 'http://127.0.0.1/x',
    expires_ms: 9,
  })
  const stored = { id: 'inv_1', email: null, role: 'member', createdMs: 1, expiresMs: 9 } as const
  expect(toInvite(stored)).toEqual({
    id: 'inv_1',
    email: null,
    role: 'member',
    created_ms: 1,
    expires_ms: 9,
  })
})

test('a rate that is not known yet and an unknown device are null', () => {
  const live = toLive({
    engine: {
      state: 'ready',
      info: {
        contextTokens: 512,
        slots: 2,
        vocabularyTokens: 8,
        dialect: { variables: [] },
        fingerprint: 'fp_1',
      },
    },
    admission: { running: 1, waiting: 3 },
    stats: {
      slotsBusy: 1,
      restarts: 4,
      steps: 0,
      promptTokens: 0,
      completionTokens: 0,
      speculativeTokens: 5,
      cachedTokens: 0,
    },
    rates: {
      promptTokensPerSecond: 10,
      completionTokensPerSecond: 20,
      cachedTokenShare: undefined,
    },
    readiness: { ledger: true, accepting: false },
    startedMs: 7,
    modelDescription: 'a model',
    completionTokensMax: 2048,
  })
  expect(live).toMatchObject({
    engine: { running: 1, speculative_tokens: 5, cached_token_share: null, restarts: 4 },
    queue: { waiting: 3 },
    service: { started_ms: 7, ledger_healthy: true, accepting: false },
    model: { fingerprint: 'fp_1', slots: 2, device: null },
  })
})
