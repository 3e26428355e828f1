import { randomNumbers } from '../../test/support/random/random-numbers.ts'
import { randomSentences } from '../engine/prompts.ts'

/** One request of the load, and the caller that sends it. */
export type PlannedRequest = {
  /** Index of the API key. */
  caller: number
  body: object
}

/** A request that is sent at a fixed time, however many others are still running. */
export type Arrival = PlannedRequest & {
  /** Time from the start of the load. */
  atMs: number
}

/** A part of the load with one rate. */
export type Step = { factor: number; perSecond: number; durationMs: number }

/** Share of the load of each API key: one large application, and smaller ones. */
const shares = [0.4, 0.2, 0.2, 0.1, 0.05, 0.05]
export const callersOfLoad = shares.length

/** Returns the arrivals of one Poisson process per step, step after step. The same seed gives the same arrivals. */
export function planArrivals(steps: readonly Step[], seed: number): Arrival[] {
  const random = randomNumbers(seed)
  const write = requestWriter(seed)
  const arrivals: Arrival[] = []
  let beginMs = 0
  for (const { perSecond, durationMs } of steps) {
    const endMs = beginMs + durationMs
    let atMs = beginMs
    for (;;) {
      atMs += (-Math.log(1 - random()) * 1000) / perSecond
      if (atMs >= endMs) break
      arrivals.push({ atMs, ...write() })
    }
    beginMs = endMs
  }
  return arrivals
}

/**
 * Returns a function that returns the next request. Requests have mixed lengths and texts of their own. The same seed
 * gives the same requests.
 */
export function requestWriter(seed: number): () => PlannedRequest {
  const random = randomNumbers(seed ^ 0x5bd1e995)
  let count = 0
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T
  return () => {
    count += 1
    const caller = callerOf(random())
    const sentences = Math.round(lognormal(random, { median: 4, sigma: 1, least: 1, most: 60 }))
    const text = randomSentences(`${seed} ${count}`, sentences).join(' ')
    const maxTokens = lognormal(random, { median: 64, sigma: 0.8, least: 16, most: 512 })
    const body = {
      model: 'svc-o1-mini',
      messages: [{ role: 'user', content: `${pick(tasks)} (${seed}-${count})\n\n${text}` }],
      max_tokens: Math.round(maxTokens),
      temperature: 0.7,
      seed: count,
      ...(random() < 0.7 ? { stream: true, stream_options: { include_usage: true } } : {}),
      // The large application names its users.
      ...(caller === 0 ? { user: `user-${Math.floor(random() ** 2 * 20)}` } : {}),
    }
    return { caller, body }
  }
}

const tasks = [
  'Who did what, and where? Answer in full sentences.',
  'Summarise this report for a friend.',
  'Write a letter to the owner about what happened.',
  'Which of these events came first, and why do you think so?',
  'Explain what a reader should do next.',
  'Turn these notes into a short story with an end.',
  'What is missing in these notes?',
  'Write three questions about this text and answer them.',
]

function callerOf(chance: number): number {
  let sum = 0
  for (const [index, share] of shares.entries()) {
    sum += share
    if (chance < sum) return index
  }
  return shares.length - 1
}

type Lengths = { median: number; sigma: number; least: number; most: number }

function lognormal(random: () => number, { median, sigma, least, most }: Lengths): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.min(Math.max(least, median * Math.exp(sigma * normal)), most)
}
