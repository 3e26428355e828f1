import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../../errors.ts'
import type { Ask, Gateway } from './gateway.ts'
import { minuteMs } from '../../../time/durations.ts'
import type { Observation } from './observation.ts'
import { type Plan, requestsMost } from './plan.ts'

/** The first of the two bursts begins this long before the start of a minute. */
const beforeEdgeMs = 1500
/** Pause of a caller after a refusal. */
const refusedPauseMs = 100
/** A burst ends after this many refusals in a row, multiplied by the number of callers. */
const refusalsMost = 12
const retriesPerUrl = 4

type Attack = { name: string; run: (gateway: Gateway, plan: Plan) => Promise<string | undefined> }

/** All attacks, in the order in which they run. An attack returns the reason if it cannot be run. */
export const attacks: readonly Attack[] = [
  { name: 'first replies', run: sendFirst },
  { name: 'retries with one Idempotency-Key', run: retry },
  { name: 'hang-ups before the first token', run: (gateway, plan) => cut(gateway, plan, 0) },
  { name: 'aborted streams', run: (gateway, plan) => cut(gateway, plan, 2) },
  { name: 'oversized max_tokens', run: oversize },
  { name: 'parallel streams', run: overlap },
  { name: 'bursts at the edge of a minute', run: crossEdge },
  { name: 'parallel burst over all URLs', run: (gateway, plan) => burst(gateway, plan, 'burst') },
]

/**
 * Requests one non-streamed reply and one stream from each URL.
 * @throws StartError for a service that cannot be checked
 */
async function sendFirst(gateway: Gateway, { urls, maxTokens }: Plan): Promise<undefined> {
  for (const url of urls)
    for (const isStream of [false, true]) {
      const seen = await gateway.send({ phase: 'first', url, maxTokens, isStream })
      if (seen.ending === 'whole') continue
      throw new StartError(`${url}: ${reasonOf(seen)}`)
    }
}

function reasonOf({ status, error }: Observation): string {
  const text = error === undefined ? '' : ` (${error.slice(0, 200)})`
  if (status === undefined) return `no reply${text}. Is the service running?`
  if (status === 401 || status === 403)
    return `it rejects this key (status ${status}). Give a valid one with --key or PIPIT_API_KEY.`
  if (status === 404) return `there is no such model or path${text}. Give the model with --model.`
  if (status === 429) return `the key is at its limit already${text}. Wait, or use a new key.`
  return `the first request got status ${status}${text}.`
}

/** Sends the same request several times at once to every URL, then once more to each. */
async function retry(gateway: Gateway, { urls, maxTokens }: Plan): Promise<undefined> {
  const idempotencyKey = `pipit-check-${randomUUID()}`
  const ask = (url: string) =>
    gateway.send({ phase: 'retries', url, maxTokens, isStream: false, idempotencyKey })
  await Promise.all(urls.flatMap((url) => Array.from({ length: retriesPerUrl }, () => ask(url))))
  for (const url of urls) await ask(url)
}

async function cut(gateway: Gateway, plan: Plan, hangUpAfter: number): Promise<undefined> {
  const { urls, cuts, longTokens: maxTokens } = plan
  const phase = hangUpAfter === 0 ? 'hang-ups' : 'aborts'
  const asks = turns(urls, cuts).map((url) => ({
    phase,
    url,
    maxTokens,
    isStream: true,
    hangUpAfter,
  }))
  await Promise.all(asks.map((ask) => gateway.send(ask)))
}

async function oversize(gateway: Gateway, { urls, oversized }: Plan): Promise<string | undefined> {
  if (oversized === undefined) return 'no limit on tokens was stated'
  const ask = (url: string): Ask => ({
    phase: 'oversized',
    url,
    maxTokens: oversized,
    isStream: true,
  })
  await Promise.all(urls.map((url) => gateway.send(ask(url))))
  return undefined
}

async function overlap(gateway: Gateway, plan: Plan): Promise<string | undefined> {
  if (plan.parallel === 0) return 'no limit on parallel requests was stated'
  await delay(cutSettleMs, undefined, { signal: gateway.signal })
  const asks = turns(plan.urls, plan.parallel).map((url): Ask => ({
    phase: 'parallel',
    url,
    maxTokens: plan.longTokens,
    isStream: true,
  }))
  await Promise.all(asks.map((ask) => gateway.send(ask)))
  return undefined
}

/** Pause after the cut streams, because the gateway may count them as running for a moment longer. */
const cutSettleMs = 2000

/** Sends nothing for a minute, then one burst just before and one just after the start of a minute. */
async function crossEdge(gateway: Gateway, plan: Plan): Promise<string | undefined> {
  if (!plan.stated.some(({ kind }) => kind.window === 'minute'))
    return 'no limit per minute was stated'
  const idleMs = Date.now() + minuteMs + beforeEdgeMs
  const edgeMs = Math.ceil(idleMs / minuteMs) * minuteMs
  await delay(edgeMs - beforeEdgeMs - Date.now(), undefined, { signal: gateway.signal })
  await Promise.all([
    burst(gateway, plan, 'before the edge', edgeMs - 100),
    delay(edgeMs + 200 - Date.now()).then(() => burst(gateway, plan, 'after the edge')),
  ])
  return undefined
}

/** Sends the plan's burst over all URLs in turn, until it is complete or all callers are refused repeatedly. */
async function burst(
  gateway: Gateway,
  plan: Plan,
  phase: string,
  endEpochMs = Infinity,
): Promise<undefined> {
  const { urls, clients, maxTokens } = plan
  const count = { turn: 0, ran: 0, refusals: 0, tokens: 0 }
  // Counts tokens, too, because replies may be much shorter than `max_tokens`.
  const isLeft = () => count.ran < plan.burst || count.tokens < 2 * (plan.oversized ?? 0)
  const call = async () => {
    while (count.refusals < refusalsMost * clients && isLeft()) {
      if (gateway.signal.aborted || Date.now() > endEpochMs || gateway.seen.length >= requestsMost)
        return
      const turn = count.turn++
      const url = urls[turn % urls.length] ?? ''
      const { ending, usage } = await gateway.send({
        phase,
        url,
        maxTokens,
        isStream: turn % 2 === 1,
      })
      if (ending === 'whole') {
        count.ran += 1
        count.tokens += (usage?.prompt ?? 0) + (usage?.completion ?? 0)
        count.refusals = 0
        continue
      }
      count.refusals += 1
      await delay(refusedPauseMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, call))
}

function turns(urls: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => urls[index % urls.length] ?? '')
}
