import { StartError } from '../../../errors.ts'
import type { Limits } from '../../../key-limits.ts'
import { attacks } from './attack.ts'
import { Gateway } from './gateway.ts'
import { judge } from './judge.ts'
import { planAttack, type Plan, requireConsent } from './plan.ts'
import { findSource, readWhenSettled, type Source } from './reported.ts'
import type { LimitsReport } from './report.ts'
import { Stalls } from './stalls.ts'

type LimitsCheck = {
  urls: readonly string[]
  key: string
  model: string
  limits: Limits
  timeoutMs: number
  /** Time for all attacks together. */
  attackMs: number
  adminKey?: string | undefined
  isAgreed: boolean
  progress: (line: string) => void
}

/** Time for the gateway to write its records after the attack. */
const settleMs = 60_000

/**
 * Attacks a gateway with a key whose limits are known. Returns what the gateway let through, refused and lost.
 * @throws StartError if the gateway cannot be checked
 */
export async function checkLimits(check: LimitsCheck): Promise<LimitsReport> {
  const plan = planAttack(check)
  requireConsent(plan, check.isAgreed)
  const startMs = performance.now()
  const signal = AbortSignal.timeout(check.attackMs)
  const { key, model, timeoutMs, urls } = check
  let count = 0
  const gateway = new Gateway({ key, model, timeoutMs, signal, onSeen: () => (count += 1) })
  check.progress('reading the limits of the key')
  const source = await findSource({ ...check, gateway })
  if (source?.name !== 'litellm' && check.adminKey !== undefined)
    throw new StartError(
      `${urls[0] ?? ''} has no /key/info of LiteLLM for this --admin-key. LiteLLM needs a database for it.`,
    )
  const stalls = new Stalls()
  let notRun: Record<string, string>
  try {
    notRun = await runAttacks(gateway, plan, signal, (name) =>
      check.progress(`${name}, after ${count} requests`),
    )
  } finally {
    stalls.close()
  }
  check.progress('reading the records of the gateway')
  const totals = source && (await readWhenSettled(source, gateway.seen, settleMs))
  const findings = judge({
    stated: plan.stated,
    seen: gateway.seen,
    promptBytes: gateway.promptBytes,
    epochMs: performance.timeOrigin,
    marginAt: (ms) => stalls.marginAt(ms),
    source,
    totals,
  })
  const lost = 'unknown' in findings.lostUsage ? 0 : findings.lostUsage.replies.length
  const passed = lost === 0 && findings.limits.every(({ overspend }) => overspend === 0)
  return {
    urls,
    model,
    gateway: source?.name ?? 'unknown',
    seconds: (performance.now() - startMs) / 1000,
    passed,
    ...findings,
    notRun,
    warnings: warningsOf(plan, source),
  }
}

async function runAttacks(
  gateway: Gateway,
  plan: Plan,
  signal: AbortSignal,
  progress: (name: string) => void,
): Promise<Record<string, string>> {
  const notRun: Record<string, string> = {}
  for (const { name, run } of attacks) {
    progress(name)
    try {
      const reason = signal.aborted
        ? 'the time was over; raise --seconds'
        : await run(gateway, plan)
      if (reason !== undefined) notRun[name] = reason
    } catch (error) {
      if (!signal.aborted) throw error
      notRun[name] = 'the time was over; raise --seconds'
    }
  }
  return notRun
}

function warningsOf({ stated }: Plan, source: Source | undefined): string[] {
  return stated.flatMap(({ kind, limit }) => {
    const theirs = source?.limits[kind.name]
    return theirs === undefined || theirs === limit
      ? []
      : [`the gateway says that ${kind.wireName} is ${theirs}, not ${limit}`]
  })
}
