import { engineName, type Finding } from '../findings.ts'
import type { BenchOptions } from '../options.ts'
import type { Climb } from './climb.ts'
import { lateMsMax } from './climb-table.ts'

/** Returns the findings of the step with ten times the load, for docs/reliability.md. */
export function climbFindings(
  engine: string,
  { peak, steps, recoveryMs }: Climb,
  options: BenchOptions,
): Finding[] {
  const most = steps.find(({ factor }) => factor === 10)
  if (most === undefined) return []
  const share = (100 * most.goodTokensPerSecond) / peak.tokensPerSecond
  const recovery =
    recoveryMs === undefined ? 'at no time' : `from ${(recoveryMs / 1000).toFixed(1)} s on`
  const late =
    most.lateP99Ms > lateMsMax
      ? ` The clients sent up to ${most.lateP99Ms.toFixed(0)} ms late (p99), so the time of a refusal measures them too.`
      : ''
  const name = engineName(engine, options)
  return [
    {
      id: 'G2',
      sentence: `${name}: at 10× for ${options.seconds} s, goodput was ${share.toFixed(1)} % of the peak of ${peak.tokensPerSecond.toFixed(0)} tokens/s; refusals took ${most.refusalP99Ms.toFixed(1)} ms (p99); after the drop to 0.7×, 95 % of requests were served ${recovery}.${late}`,
    },
    {
      id: 'F04',
      sentence: `${name}: at 10× for ${options.seconds} s, ${most.offeredPerSecond.toFixed(1)} requests/s came; ${(100 * most.refusedShare).toFixed(1)} % were refused, ${most.abandoned} clients gave up, ${most.broken} replies were broken, ${most.wrong} differed from the ledger.`,
    },
  ]
}
