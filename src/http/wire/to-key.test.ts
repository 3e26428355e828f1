import { expect, test } from 'vitest'
import type { Caller } from '../../accounts/caller.ts'
import { toInputTokens } from './to-input-tokens.ts'
import { toKey } from './to-key.ts'

const states = {
  key: { tokensPerDay: { limit: 100, remaining: 40, resetMs: 2_000 } },
  account: {},
}
const caller: Caller = {
  accountId: 'acc_1',
  keyId: 'key_1',
  name: 'laptop',
  accountName: 'team',
  scopes: ['chat'],
  limits: {},
  accountLimits: {},
  createdMs: 1_999,
  expiresMs: undefined,
  revoked: new AbortController().signal,
}

test('a key has whole seconds, and null for each limit that it does not have', () => {
  expect(toKey(caller, states)).toMatchObject({
    id: 'key_1',
    object: 'key',
    name: 'laptop',
    created: 1,
    expires: null,
    scopes: ['chat'],
    limits: {
      tokens_per_day: { limit: 100, remaining: 40, reset_ms: 2_000 },
      requests_per_minute: null,
    },
    account_limits: { tokens_per_day: null },
  })
  expect(toKey({ ...caller, expiresMs: 61_500 }, states).expires).toBe(61)
})

test('a prompt that does not fit leaves no tokens', () => {
  const preview = { promptTokens: 9000, contextTokens: 8192, tokensLeft: 0, waitMs: 0 }
  expect(toInputTokens(preview, 256, states)).toMatchObject({
    input_tokens: 9000,
    fits: false,
    max_tokens: 0,
    limits: { tokens_per_day: { remaining: 40 } },
  })
  const short = { ...preview, promptTokens: 92, tokensLeft: 8100 }
  expect(toInputTokens(short, 256, states)).toMatchObject({ fits: true, max_tokens: 256 })
})
