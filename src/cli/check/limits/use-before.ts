import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { keyLimits, type LimitName, type LimitWireName } from '../../../key-limits.ts'
import { at } from '../rule.ts'
import type { Gateway } from './gateway.ts'

/** Bounds of what was used of each limit by day or month before the attack. */
export type Before = ReadonlyMap<LimitName, { least: number; most: number }>

export type Settling = { everyMs: number; equalReads: number; longestMs: number }

/** An idle replica of Pipit keeps its last tokens for up to three seconds, so equal reads have to span more. */
const settling: Settling = { everyMs: 500, equalReads: 10, longestMs: 30_000 }

/**
 * Reads from all of Pipit's replicas how much of each limit by day or month is used. A replica takes what the others
 * lease for used, and asks anew only when it gets requests. So the reads are repeated until they stay the same, and the
 * lowest counts: the replica that was the last to return its lease knows that no other one holds anything.
 */
export async function readUseBefore(
  gateway: Pick<Gateway, 'read' | 'signal'>,
  urls: readonly string[],
  { everyMs, equalReads, longestMs }: Settling = settling,
): Promise<Before> {
  const endMs = performance.now() + longestMs
  let used = await readUsed(gateway, urls)
  let equal = 0
  while (equal < equalReads && isAnyUsed(used)) {
    if (performance.now() > endMs || gateway.signal.aborted) break
    await delay(everyMs)
    const next = await readUsed(gateway, urls)
    equal = isDeepStrictEqual(next, used) ? equal + 1 : 0
    used = next
  }
  const bounds = [...used].map(
    ([name, amounts]) =>
      [name, { least: Math.min(...amounts), most: Math.max(...amounts) }] as const,
  )
  return new Map(bounds)
}

/** Amounts that the replicas take for used, by limit. */
type Used = ReadonlyMap<LimitName, readonly number[]>

function isAnyUsed(used: Used): boolean {
  return [...used.values()].flat().some((amount) => amount > 0)
}

async function readUsed(gateway: Pick<Gateway, 'read'>, urls: readonly string[]): Promise<Used> {
  const keys = await Promise.all(urls.map((url) => gateway.read(url, '/v1/key')))
  const used = new Map<LimitName, number[]>()
  for (const { name, wireName, window } of keyLimits) {
    if (window !== 'day' && window !== 'month') continue
    const amounts = keys.flatMap((key) => {
      const state = limitOf(key, wireName)
      return state === undefined ? [] : [state.limit - state.remaining]
    })
    if (amounts.length > 0) used.set(name, amounts)
  }
  return used
}

/** Returns one limit of a key as `GET /v1/key` states it, or undefined if the key does not have it. */
export function limitOf(
  key: unknown,
  wireName: LimitWireName,
): { limit: number; remaining: number } | undefined {
  const state = at(key, 'limits', wireName)
  const [limit, remaining] = [at(state, 'limit'), at(state, 'remaining')]
  return typeof limit === 'number' && typeof remaining === 'number'
    ? { limit, remaining }
    : undefined
}
