import { expect, test } from 'vitest'
import type { ApiKeyRecord } from '../../../accounts/api-key-store.ts'
import { fromKeyChanges } from './from-key-changes.ts'
import { toPanelAccount } from './to-panel-account.ts'
import { toPanelKey } from './to-panel-key.ts'
import { toPanelSession } from './to-panel-session.ts'
import { toUsageCsv } from './to-usage-csv.ts'
import { toUsageSums } from './to-usage-sums.ts'

const record: ApiKeyRecord = {
  id: 'key_1',
  accountId: 'acc_1',
  name: 'laptop',
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

test('an account that was never seen has null for that', () => {
  const account = {
    id: 'acc_1',
    name: 'Ada',
    email: null,
    role: null,
    disabled: false,
    createdMs: 1,
    lastSeenMs: undefined,
    keys: 2,
    use: { requests: 3, promptTokens: 4, completionTokens: 5 },
    limits: {},
  }
  expect(toPanelAccount(account)).toMatchObject({
    last_seen_ms: null,
    use: { requests: 3, prompt_tokens: 4, completion_tokens: 5 },
    limits: { tokens_per_day: null },
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
  expect(toUsageSums(sums)).toEqual({
    requests: 3,
    errors: 1,
    prompt_tokens: 20,
    cached_tokens: 8,
    completion_tokens: 9,
    p50_ms: null,
    p95_ms: null,
  })
})

test('usage as CSV has one line a point, and an empty cell for null', () => {
  expect(toUsageCsv([{ beginMs: 0, sums }])).toBe(
    'begin,requests,errors,prompt_tokens,cached_tokens,completion_tokens,p50_ms,p95_ms\r\n' +
      '1970-01-01T00:00:00.000Z,3,1,20,8,9,,\r\n',
  )
})
