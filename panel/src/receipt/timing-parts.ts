import type { Receipt } from '../../../src/protocol/receipt.ts'

export type TimingPart = { name: 'queue' | 'prefill' | 'decode'; ms: number; percent: number }
type Timing = { parts: TimingPart[]; totalMs: number }

/** Returns the phases of a request with their percentages, or undefined when none was measured. */
export function timingOf({
  queue_ms,
  prefill_ms,
  decode_ms,
}: Receipt['timing']): Timing | undefined {
  if (queue_ms === null && prefill_ms === null && decode_ms === null) return undefined
  const times = { queue: queue_ms ?? 0, prefill: prefill_ms ?? 0, decode: decode_ms ?? 0 }
  const totalMs = times.queue + times.prefill + times.decode
  const part = (name: TimingPart['name']): TimingPart => ({
    name,
    ms: times[name],
    percent: totalMs === 0 ? 0 : (100 * times[name]) / totalMs,
  })
  return { totalMs, parts: [part('queue'), part('prefill'), part('decode')] }
}

/** Returns the tokens per second of the decode phase, or undefined if it had no tokens or took less than 1 ms. */
export function tokensPerSecond({
  usage,
  timing,
}: Pick<Receipt, 'usage' | 'timing'>): number | undefined {
  if (timing.decode_ms === null || timing.decode_ms === 0 || usage.completion_tokens === 0)
    return undefined
  return (1000 * usage.completion_tokens) / timing.decode_ms
}
