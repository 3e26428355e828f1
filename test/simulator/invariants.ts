import { checkpointTokens, firstTokenTimeoutMs, generationTimeoutMs } from '../../src/limits.ts'
import type { UsageRow, UsageSumsRow } from '../../src/storage/tables.ts'
import { sumsByPlace, sumsOf } from '../support/usage-sums.ts'
import type { Attempt } from './attempt.ts'
import type { LimitLog } from './limit-log.ts'
import type { EngineTrace } from './simulated/engine.ts'
import type { Schedule } from './schedule.ts'
import type { SimulatedService } from './service.ts'
import type { SimulatedStore } from './simulated/store.ts'

export type Remains = {
  schedule: Schedule
  attempts: readonly Attempt[]
  traces: ReadonlyMap<string, EngineTrace>
  store: SimulatedStore
  starts: number
  /** One log for each process of the service. */
  limitLogs: readonly LimitLog[]
  service: SimulatedService
}
export type Report = (fault: string) => void

/**
 * Checks the invariants of the ledger, and that no slot, place or memory is still held. Call it after every request has
 * ended, on a healthy disk.
 */
export function checkInvariants(remains: Remains, report: Report): void {
  const rows = remains.store.rows<UsageRow>('select * from usage')
  checkEnds(remains, report)
  checkReplies(remains, rows, report)
  checkRows(remains, rows, report)
  checkSums(remains, rows, report)
  checkOnce(remains, rows, report)
  checkNothingHeld(remains, report)
  // The checks of `pipit doctor` must pass as well.
  for (const fault of remains.store.inspect(Date.now())) report(`doctor: ${fault}`)
}

/** Checks that every accepted request has an end, in time. `Attempt` reports a second end. */
function checkEnds({ attempts, schedule, store, traces }: Remains, report: Report): void {
  const isUndisturbed =
    !store.hasMisbehaved && schedule.events.every(({ type }) => type !== 'store-fatal')
  for (const { requestId, request, end, durationMs, deliveredTokens } of attempts) {
    if (end === undefined) report(`${requestId} has no end`)
    if (durationMs > request.bodyMs + generationTimeoutMs + lateMs)
      report(`${requestId} took ${durationMs} ms`)
    const hasFailed = end?.type === 'failed' || end?.type === 'refused'
    const isPastDeadline = durationMs > request.bodyMs + firstTokenTimeoutMs + lateMs
    // If a reply is not streamed, tokens may have been sampled although its client has seen none.
    const sampled = traces.get(requestId ?? '')?.sampled ?? 0
    const hasNoToken = deliveredTokens === 0 && (request.stream || sampled === 0)
    if (isUndisturbed && hasFailed && hasNoToken && isPastDeadline)
      report(`${requestId} waited ${durationMs} ms for its first token`)
  }
}

/** Extra time for a reader that stops, and for a disk that is stuck. */
const lateMs = 60_000

/** I1: each complete reply has a settled entry with the usage that its client saw. I5: no request has two entries. */
function checkReplies({ attempts }: Remains, rows: readonly UsageRow[], report: Report): void {
  for (const { requestId, end, isReplayed, deliveredTokens } of attempts) {
    const own = rows.filter(({ request_id: id }) => id === requestId)
    if (deliveredTokens > 0 && !isReplayed && own.length === 0)
      report(`I6: ${requestId} got ${deliveredTokens} tokens without an entry`)
    if (own.length > 1) report(`I5: ${requestId} has ${own.length} entries`)
    if (isReplayed && own.length > 0) report(`${requestId} was replayed and billed`)
    if (end?.type !== 'complete' || isReplayed) continue
    const [row] = own
    if (row?.state !== 'final' || (row.outcome !== 'completed' && row.outcome !== 'length'))
      report(`I1: ${requestId} is complete, but its entry is ${row?.state} ${row?.outcome}`)
    else if (
      row.prompt_tokens !== end.promptTokens ||
      row.completion_tokens !== end.completionTokens
    )
      report(`I1: ${requestId} saw other usage than its entry has`)
  }
  for (const { request_id: id } of rows)
    if (!attempts.some(({ requestId }) => requestId === id)) report(`I5: ${id} was never sent`)
}

/** I2, I4 and I6: no entry stays open, and each has the number of tokens that were sampled for its request. */
function checkRows(
  { attempts, traces, schedule, store }: Remains,
  rows: readonly UsageRow[],
  report: Report,
): void {
  const isDisturbed =
    store.hasMisbehaved || schedule.events.some(({ type }) => type === 'store-fatal')
  for (const row of rows) {
    const { request_id: id, outcome, state, max_tokens: max } = row
    const counted = row.completion_tokens ?? 0
    const attempt = attempts.find(({ requestId }) => requestId === id)
    const sampled = traces.get(id)?.sampled ?? 0
    const delivered = attempt?.deliveredTokens ?? 0
    if (state === 'reserved') report(`I2: ${id} is still open`)
    if (counted > max) report(`I4: ${id} has ${counted} of ${max} tokens`)
    if (counted > sampled) report(`I6: ${id} counts ${counted} of ${sampled} sampled tokens`)
    const lostMax =
      outcome !== 'server_crash' ? 0 : isDisturbed ? Infinity : lostTokensMax(schedule, attempt)
    if (counted + lostMax < delivered)
      report(`I6: ${id} counts ${counted} of ${delivered} delivered tokens (${outcome})`)
    const isWhole = outcome !== 'server_crash' && outcome !== 'engine_crash'
    if (isWhole && counted !== sampled)
      report(`I6: ${id} counts ${counted} of ${sampled} sampled tokens (${outcome})`)
    if (outcome === 'internal_error') report(`${id} ended with an internal error`)
  }
}

/**
 * Returns how many tokens a crash of the service may lose: those sampled since the last checkpoint on disk. A
 * checkpoint is on disk after at most two commits.
 */
function lostTokensMax({ commitMs, tokenMs }: Schedule, attempt: Attempt | undefined): number {
  const choices = attempt?.request.choices ?? 1
  return checkpointTokens + choices * Math.ceil((3 * commitMs) / tokenMs)
}

/** I3: the sums equal those of the entries. Refusals without a receipt are only in the sums, each at most once. */
function checkSums(
  { attempts, store, schedule }: Remains,
  rows: readonly UsageRow[],
  report: Report,
): void {
  const allSums = store.rows<UsageSumsRow>('select * from usage_sums')
  for (const accountId of new Set(schedule.keys.map((key) => key.accountId))) {
    const ofAccount = <Row extends { account_id: string }>(some: readonly Row[]) =>
      some.filter(({ account_id: id }) => id === accountId)
    compareSums(sumsByPlace(ofAccount(allSums)), sumsOf(ofAccount(rows)), (fault) =>
      report(`I3: ${accountId} ${fault}`),
    )
    const sent = attempts.filter(({ caller }) => caller.accountId === accountId).length
    const counted = ofAccount(allSums)
      .filter(({ span }) => span === 'month')
      .reduce((sum, { requests }) => sum + requests, 0)
    if (counted > sent) report(`I3: ${accountId} counts ${counted} of ${sent} requests`)
  }
}

type Sums = ReturnType<typeof sumsOf>

function compareSums(sums: Sums, expected: Sums, report: Report): void {
  for (const place of new Set([...Object.keys(sums), ...Object.keys(expected)])) {
    const has = sums[place] ?? {}
    const wanted = expected[place] ?? {}
    const extra = (has['requests'] ?? 0) - (wanted['requests'] ?? 0)
    if (extra < 0) report(`${place} counts ${-extra} requests too few`)
    for (const name of new Set([...Object.keys(has), ...Object.keys(wanted)])) {
      const difference = (has[name] ?? 0) - (wanted[name] ?? 0)
      const isCount = name === 'requests' || name === 'errors'
      if (isCount ? difference < 0 || difference > extra : difference !== 0)
        report(`${place} ${name} is ${has[name]}, but its entries have ${wanted[name]}`)
    }
  }
}

/** Checks that a request with an `Idempotency-Key` runs to its end once, and that its key is free afterwards. */
function checkOnce({ attempts }: Remains, rows: readonly UsageRow[], report: Report): void {
  const replies = new Map<string, Set<string | undefined>>()
  for (const attempt of attempts) {
    const { request, caller, end, isProbe, requestId } = attempt
    if (request.once === undefined) continue
    const name = `${caller.accountId} ${request.once}`
    const isRefused = end?.type === 'refused'
    const isExpected = isRefused && /^(idempotency_mismatch|context_length)/.test(end.code)
    if (isProbe && end?.type !== 'complete' && !isExpected)
      report(`the key of ${requestId} is not free: ${JSON.stringify(end)}`)
    if (end?.type === 'complete')
      replies.set(name, (replies.get(name) ?? new Set()).add(attempt.completionId))
  }
  for (const [name, ids] of replies)
    if (ids.size > 1) report(`the requests ${name} got ${ids.size} different replies`)
  const executed = new Map<string, number>()
  for (const { request, caller, requestId } of attempts) {
    const row = rows.find(({ request_id: id }) => id === requestId)
    if (request.once === undefined || !/^(completed|length)$/.test(row?.outcome ?? '')) continue
    const name = `${caller.accountId} ${request.once}`
    executed.set(name, (executed.get(name) ?? 0) + 1)
  }
  for (const [name, times] of executed)
    if (times > 1) report(`the request ${name} ran to its end ${times} times`)
}

/** Checks that no slot, place, memory or generation is held for requests that have ended. */
function checkNothingHeld({ service, traces }: Remains, report: Report): void {
  const { admission, engine } = service
  const { slotsBusy } = engine.stats()
  if (admission.running > 0) report(`${admission.running} slots are held`)
  if (admission.waiting > 0) report(`${admission.waiting} places are held`)
  if (admission.unreadBytes.held > 0) report(`${admission.unreadBytes.held} bytes are held`)
  if (slotsBusy > 0) report(`${slotsBusy} generations run`)
  for (const fault of engine.faults) report(`the engine: ${fault}`)
  for (const [id, { leases, running }] of traces)
    if (running < 0 || leases < 0) report(`${id} was ended twice in the engine`)
}
