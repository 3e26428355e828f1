import { setTimeout as delay } from 'node:timers/promises'
import type { LimitName } from '../../../key-limits.ts'
import { keyLimits } from '../../../key-limits.ts'
import { at } from '../rule.ts'
import type { Gateway } from './gateway.ts'
import { isAdmitted, type Observation } from './observation.ts'
import { type Before, limitOf, readUseBefore, type Settling } from './use-before.ts'

/** The gateway's own records. */
export type Source = {
  name: 'pipit' | 'litellm'
  /** Limits of the key as the gateway states them. */
  limits: Partial<Record<LimitName, number>>
  before: Before
  /**
   * Reads the total tokens of each request, by the id that `idsOf` returns. Resolves to undefined if they cannot be
   * read.
   */
  read: () => Promise<Map<string, number> | undefined>
  idsOf: (seen: Observation) => readonly (string | undefined)[]
}

/** Maximum number of pages of receipts to read. */
const pagesMost = 60
const pageSize = 100
const pollMs = 1000

type SourceOptions = {
  gateway: Pick<Gateway, 'read' | 'signal'>
  urls: readonly string[]
  key: string
  adminKey?: string | undefined
  settling?: Settling
}

/** Finds the gateway's records. Returns undefined if it has none in a known format. */
export async function findSource(options: SourceOptions): Promise<Source | undefined> {
  return (await pipitSource(options)) ?? (await liteLlmSource(options))
}

/** Returns a source that reads Pipit's receipts from `GET /v1/requests`; undefined for any other gateway. */
async function pipitSource({
  gateway,
  urls,
  settling,
}: SourceOptions): Promise<Source | undefined> {
  const [first = ''] = urls
  const key = await gateway.read(first, '/v1/key')
  if (at(key, 'object') !== 'key') return undefined
  const limits: Source['limits'] = {}
  for (const { name, wireName } of keyLimits) {
    const state = limitOf(key, wireName)
    if (state !== undefined) limits[name] = state.limit
  }
  const before = await readUseBefore(gateway, urls, settling)
  const newest = at(await gateway.read(first, '/v1/requests?limit=1'), 'first_id')
  const read = async () => {
    const totals = new Map<string, number>()
    for (const url of urls)
      if (!(await readReceipts(gateway, url, newest, totals))) return undefined
    return totals
  }
  return { name: 'pipit', limits, before, read, idsOf: ({ requestId }) => [requestId] }
}

/**
 * Adds the receipts of one URL that are newer than `newest`. Replicas that do not share a database have separate
 * receipts.
 */
async function readReceipts(
  gateway: SourceOptions['gateway'],
  url: string,
  newest: unknown,
  totals: Map<string, number>,
): Promise<boolean> {
  let after = ''
  for (let page = 0; page < pagesMost; page++) {
    const list = await gateway.read(url, `/v1/requests?limit=${pageSize}${after}`)
    const data = at(list, 'data')
    if (!Array.isArray(data)) return false
    for (const receipt of data as unknown[]) {
      const [id, total] = [at(receipt, 'id'), at(receipt, 'usage', 'total_tokens')]
      if (id === newest) return true
      if (at(receipt, 'status') === 'refused' || at(receipt, 'status') === 'in_progress') continue
      if (typeof id === 'string' && typeof total === 'number') totals.set(id, total)
    }
    if (at(list, 'has_more') !== true) return true
    after = `&after=${String(at(list, 'last_id'))}`
  }
  return false
}

/** Returns a source that reads LiteLLM's `GET /spend/logs`; undefined without LiteLLM's admin key. */
async function liteLlmSource({
  gateway,
  urls,
  key,
  adminKey,
}: SourceOptions): Promise<Source | undefined> {
  const [first = ''] = urls
  if (adminKey === undefined) return undefined
  const info = at(
    await gateway.read(first, `/key/info?key=${encodeURIComponent(key)}`, adminKey),
    'info',
  )
  if (info === undefined) return undefined
  const limits: Source['limits'] = {}
  const names = [
    ['requestsPerMinute', 'rpm_limit'],
    ['tokensPerMinute', 'tpm_limit'],
    ['parallelRequests', 'max_parallel_requests'],
  ] as const
  for (const [name, theirs] of names) {
    const limit = at(info, theirs)
    if (typeof limit === 'number') limits[name] = limit
  }
  const read = async () => {
    const path = `/spend/logs?api_key=${encodeURIComponent(key)}`
    const rows = await gateway.read(first, path, adminKey)
    if (!Array.isArray(rows)) return undefined
    const totals = new Map<string, number>()
    for (const row of rows as unknown[]) {
      const [id, total] = [at(row, 'request_id'), at(row, 'total_tokens')]
      if (typeof id === 'string' && typeof total === 'number') totals.set(id, total)
    }
    return totals
  }
  const idsOf = ({ replyId, requestId }: Observation) => [replyId, requestId]
  return { name: 'litellm', limits, before: new Map(), read, idsOf }
}

/** Reads the records until every admitted reply is recorded or the time is over: a gateway may write records late. */
export async function readWhenSettled(
  source: Source,
  seen: readonly Observation[],
  settleMs: number,
): Promise<Map<string, number> | undefined> {
  const endMs = performance.now() + settleMs
  const expected = seen.filter(isAdmitted)
  for (;;) {
    const totals = await source.read()
    const isComplete =
      totals !== undefined &&
      expected.every((one) => source.idsOf(one).some((id) => id !== undefined && totals.has(id)))
    if (isComplete || performance.now() > endMs) return totals
    await delay(pollMs)
  }
}
