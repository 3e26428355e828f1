import { UpstreamFault } from '../upstream-fault.ts'
import type { UpstreamFlavour, UpstreamSettings } from '../upstream-settings.ts'
import type { ProbeTarget } from './probe.ts'

/** Requests in an engine, by its own metrics. They come from all its clients. */
export type ReportedLoad = { readonly running: number; readonly waiting: number }

/** More than any engine runs. Larger figures are not believed. */
const requestsMax = 1_000_000

const gauges: Partial<Record<UpstreamFlavour, Readonly<Record<keyof ReportedLoad, string>>>> = {
  vllm: { running: 'vllm:num_requests_running', waiting: 'vllm:num_requests_waiting' },
  sglang: { running: 'sglang:num_running_reqs', waiting: 'sglang:num_queue_reqs' },
  'llama-server': {
    running: 'llamacpp:requests_processing',
    waiting: 'llamacpp:requests_deferred',
  },
}

/** Returns true if it is known how servers of this flavour report their load. */
export function canReportLoad({ flavour }: UpstreamSettings): boolean {
  return gauges[flavour] !== undefined
}

/**
 * Reads the load from an engine's `/metrics`.
 * @throws UpstreamFault if it has no such metrics, or does not respond in time
 */
export async function fetchLoad(
  { flavour }: UpstreamSettings,
  { url, headers, connections }: ProbeTarget,
  signal: AbortSignal,
): Promise<ReportedLoad> {
  const { status, text } = await connections.fetchText({ url: `${url}/metrics`, headers }, signal)
  if (status !== 200) throw new UpstreamFault('failed', `its /metrics has status ${status}`)
  const load = readLoad(flavour, text)
  if (load === undefined) throw new UpstreamFault('failed', 'its /metrics lacks the load')
  return load
}

/** Reads the load from a text in Prometheus' format. Returns undefined if a gauge is missing or cannot be right. */
export function readLoad(flavour: UpstreamFlavour, text: string): ReportedLoad | undefined {
  const names = gauges[flavour]
  if (names === undefined) return undefined
  const running = sumOf(names.running, text)
  const waiting = sumOf(names.waiting, text)
  return running === undefined || waiting === undefined ? undefined : { running, waiting }
}

/** Adds up a gauge over its series, because an engine with several data-parallel ranks has one for each. */
function sumOf(name: string, text: string): number | undefined {
  let sum: number | undefined
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    if (at > 0 && text[at - 1] !== '\n') continue
    const end = text.indexOf('\n', at)
    const rest = text.slice(at + name.length, end < 0 ? undefined : end)
    const series = /^(\{.*\})? +(\S+)/.exec(rest)
    if (series === null) continue
    const [, labels = '', value] = series
    // With priorities, SGLang has the sum, and each priority beside it.
    if (/[{,]priority="[^"]/.test(labels)) continue
    const count = Number(value)
    if (!(count >= 0 && count <= requestsMax)) return undefined
    sum = (sum ?? 0) + count
  }
  return sum
}
