import type { BenchOptions } from '../options.ts'
import { measureAddedLatency } from './added-latency.ts'
import { measureDistantDatabase } from './distant-database.ts'
import { describeParts } from './goals.ts'
import { measureLedgerRows } from './ledger-rows.ts'
import { measurePerCore } from './per-core.ts'
import { measureTwoFronts } from './two-fronts.ts'

/** Measures Pipit in front of an OpenAI-compatible server that answers immediately. */
export async function benchUpstream({ rounds }: BenchOptions): Promise<string> {
  const parts = [
    await measureAddedLatency(rounds),
    await measurePerCore(rounds),
    await measureTwoFronts(rounds),
    await measureDistantDatabase(rounds),
    await measureLedgerRows(rounds),
  ]
  return describeParts(parts)
}
