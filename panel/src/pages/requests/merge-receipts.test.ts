import { expect, test } from 'vitest'
import type { Receipt } from '../../../../src/protocol/receipt.ts'
import { mergeReceipts, missingRunning, withStates } from './merge-receipts.ts'

const receipt = (id: string, status: Receipt['status'] = 'completed'): Receipt => ({
  id,
  object: 'request',
  created: 1,
  model: 'svc-o1-mini',
  route: '/v1/chat/completions',
  stream: false,
  key_id: 'key_1',
  status,
  finish_reason: null,
  usage: {
    prompt_tokens: 1,
    completion_tokens: 1,
    total_tokens: 2,
    prompt_tokens_details: { cached_tokens: 0 },
  },
  max_tokens: 256,
  timing: { queue_ms: 0, prefill_ms: 1, decode_ms: 2 },
  seed: 1,
  system_fingerprint: null,
  error: null,
  parameters: {},
  ignored_parameters: [],
})

test('new requests are counted, and the shown ones stay in place', () => {
  const shown = [receipt('b'), receipt('a')]
  const merged = mergeReceipts(shown, [receipt('d'), receipt('c'), receipt('b')])
  expect(merged.receipts?.map(({ id }) => id)).toEqual(['b', 'a'])
  expect(merged.newer).toBe(2)
})

test('a request that waited for a slot is counted as new below a later one', () => {
  const latest = [receipt('c'), receipt('b'), receipt('a')]
  expect(mergeReceipts([receipt('c'), receipt('a')], latest).newer).toBe(1)
})

test('a running request is updated in place when it ends', () => {
  const merged = mergeReceipts([receipt('a', 'in_progress')], [receipt('a', 'completed')])
  expect(merged).toMatchObject({ newer: 0, receipts: [{ id: 'a', status: 'completed' }] })
})

test('an empty log shows its first request immediately', () => {
  expect(mergeReceipts([], [receipt('a')])).toMatchObject({ newer: 0, receipts: [{ id: 'a' }] })
  expect(mergeReceipts(undefined, [receipt('a')]).receipts).toBeUndefined()
})

test('when none of the latest requests is shown, all of them are new', () => {
  expect(mergeReceipts([receipt('a')], [receipt('z'), receipt('y')]).newer).toBe(2)
})

test('only running requests that the latest ones leave out are missing', () => {
  const shown = [receipt('c', 'in_progress'), receipt('b', 'in_progress'), receipt('a')]
  expect(missingRunning(shown, [receipt('d'), receipt('c', 'in_progress')])).toEqual(['b'])
  expect(missingRunning(shown, undefined)).toEqual([])
  expect(missingRunning(undefined, [])).toEqual([])
})

test('a missing request gets its state in its place, or leaves the list if it no longer matches', () => {
  const shown = [receipt('c', 'in_progress'), receipt('b', 'in_progress'), receipt('a')]
  const states = new Map([['b', receipt('b', 'failed')]])
  const statuses = (receipts: readonly Receipt[]) => receipts.map(({ id, status }) => [id, status])
  expect(statuses(withStates(shown, states, undefined))).toEqual([
    ['c', 'in_progress'],
    ['b', 'failed'],
    ['a', 'completed'],
  ])
  expect(statuses(withStates(shown.slice(0, 2), states, 'in_progress'))).toEqual([
    ['c', 'in_progress'],
  ])
  const deleted = new Map([['c', undefined]])
  expect(statuses(withStates(shown.slice(0, 2), deleted, undefined))).toEqual([
    ['b', 'in_progress'],
  ])
})
