import type { Endpoint } from './endpoint.ts'
import { estimateLoads } from './estimate-loads.ts'

/** Extra load, relative to the mean, that is accepted on an upstream to hit its prefix cache. */
const affinityShare = 0.25

/**
 * Chooses an upstream for a request. Requests with the same prefix go to the same upstream, to hit its prefix cache. If
 * that upstream is much busier than the others, the less busy of two random ones is chosen.
 * @param prefix hash of the start of the conversation; undefined for no affinity
 * @param tried upstreams that have failed this request; used only if there is no other
 * @param nowMs time of the monotonic clock, by which reports of the load become too old
 */
export function chooseEndpoint(
  all: readonly Endpoint[],
  prefix: number | undefined,
  tried: ReadonlySet<Endpoint>,
  nowMs: number,
  random: () => number = Math.random,
): Endpoint | undefined {
  const up = all.filter(({ isUp }) => isUp)
  const untried = up.filter((endpoint) => !tried.has(endpoint))
  const candidates = untried.length > 0 ? untried : up
  if (candidates.length < 2) return candidates[0]
  const loads = estimateLoads(candidates, nowMs)
  const loadOf = (endpoint: Endpoint): number => loads.get(endpoint) ?? 0
  if (prefix !== undefined) {
    const preferred = preferredBy(prefix, candidates)
    const mean = candidates.reduce((sum, endpoint) => sum + loadOf(endpoint), 0) / candidates.length
    if (preferred !== undefined && loadOf(preferred) <= (1 + affinityShare) * mean + 1)
      return preferred
  }
  return leastBusyOfTwo(candidates, loadOf, random)
}

/** Chooses by rendezvous hashing: when an upstream goes down, only its own prefixes move. */
function preferredBy(prefix: number, candidates: readonly Endpoint[]): Endpoint | undefined {
  let best: Endpoint | undefined
  let bestScore = -1
  for (const endpoint of candidates) {
    const score = mix(prefix ^ hashText(endpoint.url))
    if (score > bestScore) [best, bestScore] = [endpoint, score]
  }
  return best
}

function leastBusyOfTwo(
  candidates: readonly Endpoint[],
  loadOf: (endpoint: Endpoint) => number,
  random: () => number,
): Endpoint | undefined {
  const first = Math.floor(random() * candidates.length)
  const second = (first + 1 + Math.floor(random() * (candidates.length - 1))) % candidates.length
  const [a, b] = [candidates[first], candidates[second]]
  if (a === undefined || b === undefined) return a ?? b
  return loadOf(b) < loadOf(a) ? b : a
}

/** Returns the 32-bit FNV-1a hash of the UTF-16 code units. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Mixes the bits like the finaliser of MurmurHash3, so that similar hashes get different scores. */
function mix(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
