import type { FastifyReply } from 'fastify'
import type { ApiKeys } from '../../accounts/api-keys.ts'
import type { PanelUser } from '../../people/panel-sessions.ts'
import { playgroundKey } from '../../accounts/playground-caller.ts'
import { ServiceError } from '../../errors.ts'
import { usagePointsMax } from '../../limits.ts'
import {
  type PanelUsage,
  type UsageStep,
  type UsageSums,
  usageSteps,
} from '../../protocol/panel-usage.ts'
import { quantileMs } from '../../usage/latency-histogram.ts'
import { LocalDays } from '../../usage/local-days.ts'
import {
  addSums,
  hourMs,
  type UsageReport,
  type UsageSums as StoredSums,
} from '../../usage/usage-report.ts'
import { Query } from '../request/query.ts'
import type { PanelRoute } from '../route.ts'

export type PanelUsageServices = { usageReport: UsageReport; apiKeys: ApiKeys }

/** What the account of who has signed in has used, by time and by key. */
export function panelUsageRoutes(services: PanelUsageServices): PanelRoute[] {
  const session = { method: 'GET', auth: 'session', role: 'any' } as const
  return [
    {
      ...session,
      url: '/panel/api/usage',
      handler: async (request, _reply, user): Promise<PanelUsage> => {
        const asked = parseUsageQuery(request.query)
        const points = await readPoints(services, user, asked)
        const totals = addSums(points.map(({ sums }) => sums))
        return {
          from_ms: asked.fromMs,
          to_ms: asked.toMs,
          step: asked.step,
          points: points.map(({ beginMs, sums }) => ({ begin_ms: beginMs, ...toWire(sums) })),
          totals: toWire(totals),
          ...(await readKeys(services, user, asked, totals)),
        }
      },
    },
    {
      ...session,
      url: '/panel/api/usage.csv',
      handler: async (request, reply, user) => {
        const points = await readPoints(services, user, parseUsageQuery(request.query))
        return sendCsv(reply, points)
      },
    },
  ]
}

type UsageQuery = {
  fromMs: number
  toMs: number
  step: UsageStep
  /** Beginnings of the points; the last one is the end. */
  boundariesMs: readonly number[]
  keyId: string | undefined
}
type Point = { beginMs: number; sums: StoredSums }

/** @throws ServiceError for whatever is missing, not to be read, or too much */
function parseUsageQuery(parameters: unknown): UsageQuery {
  const query = new Query(parameters, ['from_ms', 'to_ms', 'step', 'time_zone', 'key_id'])
  const fromMs = requireTime(query, 'from_ms')
  const toMs = requireTime(query, 'to_ms')
  if (fromMs >= toMs)
    throw new ServiceError('invalid_value', '`to_ms` must be later than `from_ms`.', {
      param: 'to_ms',
    })
  const step = query.choice('step', usageSteps) ?? 'day'
  const days = toLocalDays(query.text('time_zone') ?? 'UTC')
  if ((toMs - fromMs) / (step === 'hour' ? hourMs : 24 * hourMs) > usagePointsMax)
    throw new ServiceError(
      'invalid_value',
      `This would be more than ${usagePointsMax} ${step}s: ` +
        (step === 'hour' ? 'take days, or a shorter time.' : 'take a shorter time.'),
      { param: 'from_ms' },
    )
  const boundariesMs = step === 'hour' ? hoursOf(fromMs, toMs) : days.boundaries(fromMs, toMs)
  return { fromMs, toMs, step, boundariesMs, keyId: query.text('key_id') || undefined }
}

function requireTime(query: Query, name: string): number {
  const timeMs = query.time(name)
  if (timeMs !== undefined) return timeMs
  throw new ServiceError(
    'missing_required_parameter',
    `Missing required parameter: \`${name}\`, in milliseconds since 1970.`,
    { param: name },
  )
}

function toLocalDays(timeZone: string): LocalDays {
  try {
    return new LocalDays(timeZone)
  } catch {
    throw new ServiceError(
      'invalid_value',
      '`time_zone` must be the name of a time zone, such as `Europe/Berlin`.',
      { param: 'time_zone' },
    )
  }
}

function hoursOf(fromMs: number, toMs: number): number[] {
  const beginMs = wholeHour(fromMs)
  const hours = (wholeHour(toMs) - beginMs) / hourMs
  return Array.from({ length: hours + 1 }, (_, i) => beginMs + i * hourMs)
}

/** The first hour that begins then or later: an hour counts where it begins. */
function wholeHour(ms: number): number {
  return Math.ceil(ms / hourMs) * hourMs
}

async function readPoints(
  { usageReport }: PanelUsageServices,
  { accountId }: PanelUser,
  { fromMs, toMs, boundariesMs, keyId }: UsageQuery,
): Promise<Point[]> {
  // A day at an end has only its part of the time that was asked for.
  const within = boundariesMs.map((ms) => Math.min(Math.max(ms, fromMs), toMs))
  const periods = await usageReport.periods(accountId, within, keyId)
  return periods.map((sums, i) => ({ beginMs: boundariesMs[i] ?? 0, sums }))
}

async function readKeys(
  { usageReport, apiKeys }: PanelUsageServices,
  { accountId }: PanelUser,
  { fromMs, toMs, keyId }: UsageQuery,
  totals: StoredSums,
): Promise<Pick<PanelUsage, 'keys' | 'keys_left_out'>> {
  const { keys, leftOut } =
    keyId === undefined
      ? await usageReport.keys(accountId, wholeHour(fromMs), wholeHour(toMs))
      : { keys: totals.requests === 0 ? [] : [{ keyId, sums: totals }], leftOut: 0 }
  const names = await apiKeys.names(
    accountId,
    keys.map((key) => key.keyId),
  )
  const nameOf = (id: string) => (id === playgroundKey.id ? playgroundKey.name : names.get(id))
  return {
    // What was used stays on record when its key does not.
    keys: keys.map((key) => ({
      key_id: key.keyId,
      name: nameOf(key.keyId) ?? key.keyId,
      ...toWire(key.sums),
    })),
    keys_left_out: leftOut,
  }
}

function toWire(sums: StoredSums): UsageSums {
  return {
    requests: sums.requests,
    errors: sums.errors,
    prompt_tokens: sums.promptTokens,
    cached_tokens: sums.cachedTokens,
    completion_tokens: sums.completionTokens,
    p50_ms: quantileMs(sums.latencies, 0.5) ?? null,
    p95_ms: quantileMs(sums.latencies, 0.95) ?? null,
  }
}

/** Numbers and times alone: nothing that a spreadsheet would take for a formula. */
function sendCsv(reply: FastifyReply, points: readonly Point[]): FastifyReply {
  const rows = points.map(({ beginMs, sums }) => ({
    begin: new Date(beginMs).toISOString(),
    ...toWire(sums),
  }))
  const names = [
    'begin',
    'requests',
    'errors',
    'prompt_tokens',
    'cached_tokens',
    'completion_tokens',
    'p50_ms',
    'p95_ms',
  ] as const
  const lines = rows.map((row) => names.map((name) => row[name] ?? '').join(','))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', 'attachment; filename="pipit-usage.csv"')
    .send(`${[names.join(','), ...lines].join('\r\n')}\r\n`)
}
