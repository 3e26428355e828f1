import type { Endpoint } from './endpoint.ts'

/** Most requests of other services that are expected to begin for each one of ours. */
const othersPerOwnMax = 16

/**
 * Estimates the requests of all services at each upstream, from what the upstreams have reported. Other services see the
 * same reports and choose alike. So for each request that we have sent since, they are expected to have sent as many as
 * they have for each of ours. Otherwise all services would rush to the upstream that was idle at the last report.
 *
 * Returns our own requests only if any of the upstreams has no valid report, because it would look idle beside the rest.
 */
export function estimateLoads(
  upstreams: readonly Endpoint[],
  nowMs: number,
): ReadonlyMap<Endpoint, number> {
  const loads = new Map(upstreams.map((upstream) => [upstream, upstream.outstanding]))
  const reports = upstreams.flatMap((upstream) => {
    const report = upstream.report(nowMs)
    if (report === undefined) return []
    const { load, own } = report
    return [{ upstream, own, reported: Math.max(own, load.running + load.waiting) }]
  })
  if (reports.length < upstreams.length) return loads
  let allReported = 0
  let allOwn = 0
  for (const { reported, own } of reports) {
    allReported += reported
    allOwn += own
  }
  const perOwn = Math.min(othersPerOwnMax, Math.max(1, allReported / Math.max(1, allOwn)))
  for (const { upstream, reported, own } of reports) {
    const { outstanding } = upstream
    loads.set(upstream, Math.max(outstanding, reported + perOwn * (outstanding - own)))
  }
  return loads
}
