import { expect, test } from 'vitest'
import { findSource } from './reported.ts'

const signal = new AbortController().signal
const settling = { everyMs: 1, equalReads: 10, longestMs: 10_000 }

/** Returns what is used of 1000 tokens per day by `findSource`, if the replicas state these remainders in turn. */
async function usedBefore(replicas: Record<string, number[]>, times = settling) {
  const reads = new Map<string, number>()
  const read = (url: string, path: string): Promise<unknown> => {
    if (path !== '/v1/key') return Promise.resolve(undefined)
    const count = reads.get(url) ?? 0
    reads.set(url, count + 1)
    const remaining = replicas[url]?.at(Math.min(count, replicas[url].length - 1))
    const limits = { tokens_per_day: { limit: 1000, remaining } }
    return Promise.resolve({ object: 'key', limits })
  }
  const urls = Object.keys(replicas)
  const source = await findSource({
    gateway: { read, signal },
    urls,
    key: 'sk',
    settling: times,
  })
  return { before: source?.before.get('tokensPerDay'), reads: reads.get(urls[0] ?? '') }
}

test('what replicas hold as leases and give back soon does not count as used before an attack', async () => {
  // The first replica learned early what is left, and does not ask again while it gets no requests.
  const { before } = await usedBefore({ a: [700], b: [700, 700, 800, 850, 900], c: [700, 600] })
  expect(before).toEqual({ least: 100, most: 400 })
})

test('a key that has not been used is read without a wait', async () => {
  expect(await usedBefore({ a: [1000], b: [1000] })).toEqual({
    before: { least: 0, most: 0 },
    reads: 2,
  })
})

test('the wait for a key that others use meanwhile has an end', async () => {
  const times = { ...settling, longestMs: 200 }
  const replica = Array.from({ length: 1000 }, (_, read) => 1000 - read)
  const { before } = await usedBefore({ a: replica }, times)
  expect(before?.least).toBeGreaterThan(1)
})
