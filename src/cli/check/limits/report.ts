import { alignColumns } from '../../table.ts'
import type { Findings, Known } from './judge.ts'

/** Findings of one check, as `--json` prints them. */
export type LimitsReport = Findings & {
  urls: readonly string[]
  model: string
  gateway: string
  seconds: number
  /** The attacks that did not run: the reason for each, by the attack's name. */
  notRun: Record<string, string>
  warnings: readonly string[]
  passed: boolean
}

export function reportText(report: LimitsReport): string {
  const { urls, gateway, seconds, requests, tokens, notRun, warnings } = report
  const rows = report.limits.map(({ wireName, limit, most, overspend, verdict, reason }) => [
    wireName.replaceAll('_', ' '),
    String(limit),
    String(most),
    verdict === 'unknown' ? `unknown: ${reason ?? ''}` : String(overspend),
  ])
  const skipped = Object.entries(notRun).map(([name, reason]) => `Not run: ${name} (${reason})`)
  return [
    `Gateway: ${gateway}, ${urls.length} ${urls.length === 1 ? 'URL' : 'URLs'}, ${seconds.toFixed(0)} s`,
    `Requests: ${requests.sent} sent, ${requests.admitted} let through, ${requests.refused} refused, ${requests.failed} failed, ${requests.cut} cut off`,
    `Tokens: ${tokens.delivered} delivered, ${known(tokens.reported, String)} reported`,
    '',
    alignColumns([['limit', 'stated', 'let through', 'overspend'], ...rows]),
    '',
    ...summary(report),
    ...skipped,
    ...warnings.map((warning) => `Warning: ${warning}`),
  ].join('\n')
}

function summary({ wrongRefusals, lostUsage, idempotency }: LimitsReport): string[] {
  const phases = Object.entries(wrongRefusals.byPhase).map(([phase, count]) => `${phase}: ${count}`)
  const where = phases.length === 0 ? '' : ` (${phases.join(', ')})`
  return [
    `Refusals under the limit: ${wrongRefusals.count} of ${wrongRefusals.of}${where}`,
    `Lost usage: ${known(lostUsage, ({ replies, tokens, of }) => `${replies.length} of ${of} replies, ${tokens} tokens`)}`,
    `Idempotency-Key: ${known(idempotency, ({ sent, executed }) => `${executed} of ${sent} equal requests ran`)}`,
  ]
}

function known<Value>(value: Known<Value>, text: (value: Value) => string): string {
  if (typeof value === 'object' && value !== null && 'unknown' in value)
    return `unknown: ${value.unknown}`
  return text(value as Value)
}
