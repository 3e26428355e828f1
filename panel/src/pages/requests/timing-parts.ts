import type { Receipt } from '../../../../src/protocol/receipt.ts'

export type TimingPart = { name: 'queue' | 'prefill' | 'decode'; ms: number; percent: number }
export type Timing = { parts: TimingPart[]; totalMs: number }

/** How the time of a request was spent; undefined where it never came so far that any was taken. */
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

/** Of the decode phase; undefined where nothing was decoded, or too quickly to tell. */
export function tokensPerSecond({
  usage,
  timing,
}: Pick<Receipt, 'usage' | 'timing'>): number | undefined {
  if (timing.decode_ms === null || timing.decode_ms === 0 || usage.completion_tokens === 0)
    return undefined
  return (1000 * usage.completion_tokens) / timing.decode_ms
}
