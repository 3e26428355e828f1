import { fc } from '../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { SharedBudget } from './admission/shared-budget.ts'
import type { CompletionEvent } from './completion.ts'
import { UnreadEvents } from './unread-events.ts'

const holder = { accountId: 'acct', keyId: 'key' }
const roomy = () => new SharedBudget({ service: 1e9, account: 1e9, 'API key': 1e9 })
const usage = { promptTokens: 1, cachedTokens: 0, completionTokens: 1 }

/** Joins the events of each choice into one text. */
function textOf(events: readonly CompletionEvent[]) {
  const choices = new Map<number, string>()
  for (const event of events) {
    if (event.type === 'usage') continue
    const known = choices.get(event.index) ?? ''
    const logprobs = event.type === 'delta' ? (event.logprobs ?? []).map(({ text }) => text) : []
    const text = event.type === 'delta' ? event.text : `[${event.reason}]`
    choices.set(
      event.index,
      `${known}${text}${logprobs.length > 0 ? `{${logprobs.join('}{')}}` : ''}`,
    )
  }
  return choices
}

const delta = (index: number, text: string): CompletionEvent => ({ type: 'delta', index, text })

test('a slow reader gets the same text, with fewer events, and then the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: 3 }), fc.string({ maxLength: 4 })), { maxLength: 400 }),
      fc.array(fc.nat({ max: 400 }), { maxLength: 20 }),
      async (deltas, pauses) => {
        const events: CompletionEvent[] = [
          ...deltas.map(([index, text]) => delta(index, text)),
          ...[0, 1, 2, 3].map((index) => ({ type: 'finish', index, reason: 'stop' }) as const),
          { type: 'usage', usage },
        ]
        const budget = roomy()
        const produce = async (put: (event: CompletionEvent) => boolean) => {
          for (const [i, event] of events.entries()) {
            expect(put(event)).toBe(true)
            if (pauses.includes(i)) await new Promise(setImmediate)
          }
        }
        const seen: CompletionEvent[] = []
        for await (const event of new UnreadEvents({ produce, abort: () => {} }, budget, holder))
          seen.push(event)
        expect(textOf(seen)).toEqual(textOf(events))
        expect(seen.at(-1)?.type).toBe('usage')
        expect(budget.held).toBe(0)
      },
    ),
    { numRuns: 100 },
  )
})

test('log-probabilities of joined deltas stay in order', async () => {
  const logprobs = (text: string) => [{ text, bytes: [], logprob: 0, top: [] }]
  const produce = async (put: (event: CompletionEvent) => boolean) => {
    for (let i = 0; i < 200; i += 1)
      put({ type: 'delta', index: 0, text: 'a', logprobs: logprobs(String(i)) })
  }
  const seen: string[] = []
  let events = 0
  for await (const event of new UnreadEvents({ produce, abort: () => {} }, roomy(), holder)) {
    events += 1
    if (event.type === 'delta') seen.push(...(event.logprobs ?? []).map(({ text }) => text))
  }
  expect(seen).toEqual(Array.from({ length: 200 }, (_, i) => String(i)))
  expect(events).toBeLessThan(100)
})

test('a reader of the whole reply gets it at the end, one delta for each choice', async () => {
  const stages: string[] = []
  const produce = async (put: (event: CompletionEvent) => boolean) => {
    for (const text of ['a', 'b', 'c']) {
      for (const index of [0, 1]) put(delta(index, `${text}${index}`))
      await new Promise(setImmediate)
    }
    stages.push('produced')
    for (const index of [0, 1]) put({ type: 'finish', index, reason: 'stop' })
    put({ type: 'usage', usage })
  }
  const seen: CompletionEvent[] = []
  const source = { isWhole: true, produce, abort: () => {} }
  for await (const event of new UnreadEvents(source, roomy(), holder)) {
    stages.push(event.type)
    seen.push(event)
  }
  expect(stages).toEqual(['produced', 'delta', 'delta', 'finish', 'finish', 'usage'])
  expect(seen.slice(0, 2)).toEqual([delta(0, 'a0b0c0'), delta(1, 'a1b1c1')])
})

test('a reader of a long whole reply takes it before it counts as unread', async () => {
  const budget = new SharedBudget({ service: 1e9, account: 1e9, 'API key': 20_000 })
  const logprobs = [{ text: 'x', bytes: [120], logprob: 0, top: [] }]
  const produce = async (put: (event: CompletionEvent) => boolean) => {
    for (let i = 0; i < 2000; i += 1) {
      for (const index of [0, 1])
        expect(put({ type: 'delta', index, text: 'x'.repeat(10), logprobs })).toBe(true)
      expect(budget.held).toBe(0)
      await Promise.resolve()
    }
    put({ type: 'usage', usage })
  }
  const seen: CompletionEvent[] = []
  const source = { isWhole: true, produce, abort: () => {} }
  for await (const event of new UnreadEvents(source, budget, holder)) seen.push(event)
  for (const index of [0, 1]) expect(textOf(seen).get(index)).toHaveLength(2000 * 13)
  expect(seen.length).toBeLessThan(4000 / 10)
})

test('a reader that falls too far behind gets an error, and never a text with a gap', async () => {
  const budget = new SharedBudget({ service: 1e9, account: 1e9, 'API key': 100_000 })
  const slow = new Error('slow')
  const produce = async (put: (event: CompletionEvent) => boolean) => {
    await Promise.resolve()
    for (let i = 0; i < 1000; i += 1) if (!put(delta(0, 'x'.repeat(1000)))) break
    put(delta(0, 'after the gap'))
    throw slow
  }
  const seen: CompletionEvent[] = []
  const reading = async () => {
    for await (const event of new UnreadEvents({ produce, abort: () => {} }, budget, holder))
      seen.push(event)
  }
  await expect(reading()).rejects.toBe(slow)
  // The first event was read at once. The others were dropped when the budget ran out.
  expect(seen).toEqual([delta(0, 'x'.repeat(1000))])
  expect(budget.held).toBe(0)
})

test('a reader that falls too far behind just before the completion finishes gets an error as well', async () => {
  const budget = new SharedBudget({ service: 1e9, account: 1e9, 'API key': 20_000 })
  const produce = async (put: (event: CompletionEvent) => boolean) => {
    await Promise.resolve()
    for (let i = 0; i < 20; i += 1) put(delta(0, 'x'.repeat(1000)))
    put({ type: 'finish', index: 0, reason: 'stop' })
    put({ type: 'usage', usage })
  }
  const seen: CompletionEvent[] = []
  const reading = async () => {
    for await (const event of new UnreadEvents({ produce, abort: () => {} }, budget, holder))
      seen.push(event)
  }
  await expect(reading()).rejects.toMatchObject({ reason: 'slow_reader' })
  expect(seen).toEqual([delta(0, 'x'.repeat(1000))])
})

test('a reader that stops aborts what has not ended, waits for it, and gives its budget back', async () => {
  const budget = roomy()
  const stopped = Promise.withResolvers<void>()
  let hasEnded = false
  const produce = async (put: (event: CompletionEvent) => boolean) => {
    for (let i = 0; i < 100; i += 1) put(delta(0, 'x'.repeat(1000)))
    await stopped.promise
    hasEnded = true
  }
  for await (const _ of new UnreadEvents({ produce, abort: stopped.resolve }, budget, holder)) {
    await new Promise(setImmediate)
    expect(budget.held).toBeGreaterThan(0)
    break
  }
  expect([hasEnded, budget.held]).toEqual([true, 0])
})

test('nothing is produced for a reader that never reads', async () => {
  const produce = () => Promise.reject(new Error('it has started'))
  const events = new UnreadEvents({ produce, abort: () => {} }, roomy(), holder)
  await events.return()
  expect(await events.next()).toEqual({ done: true, value: undefined })
})
