import { type CampaignReport, megabytes } from './campaign.ts'

/** Lists the reasons why a campaign fails: its findings, a doubled p99, and growing memory. */
export function faultsOfReport({ findings, latency, growth }: CampaignReport): string[] {
  return [
    ...findings.map(({ text, request }) =>
      request === undefined ? text : `${request.generator}, request ${request.index}: ${text}`,
    ),
    ...(latency.isDoubled
      ? [
          `the good client's p99 is ${latency.hostileMs} ms beside hostile requests and ${latency.calmMs} ms beside ordinary ones`,
        ]
      : []),
    ...Object.entries(growth)
      .filter(([, { isFault }]) => isFault)
      .map(([process, { bytes }]) => `the memory of the ${process} grew by ${megabytes(bytes)}`),
  ]
}

/** Returns the figures of a campaign in a sentence for docs/reliability.md. */
export function findingOfReport(report: CampaignReport): string {
  const { name, seed, sent, latency, growth } = report
  return (
    `Hostile requests, ${name}, seed ${seed}: ${sent.toLocaleString('en')} sent, ` +
    `${faultsOfReport(report).length} faults; p99 of a good client ${latency.hostileMs} ms beside them and ` +
    `${latency.calmMs} ms beside ordinary ones; memory of the front grew by ${megabytes(growth.front.bytes)}, ` +
    `of the engine by ${megabytes(growth.engine.bytes)}.`
  )
}

/** Returns the figures of a campaign in a few lines. */
export function describeReport(report: CampaignReport): string {
  const { name, seed, sent, latency, growth, memory, replies, findings } = report
  return [
    `${name}, seed ${seed}: ${sent} hostile requests, ${findings.length} findings`,
    `  p99 of the good client: ${latency.calmMs} ms calm, ${latency.hostileMs} ms hostile (medians of ${latency.windows} windows, ${latency.slower} of them doubled); slowest ${report.calmMaxMs} and ${report.maxMs} ms`,
    `  memory of the front: ${memory.front.map((bytes) => megabytes(bytes)).join(' ')}; growth ${megabytes(growth.front.bytes)}`,
    `  memory of the engine: ${memory.engine.map((bytes) => megabytes(bytes)).join(' ')}; growth ${megabytes(growth.engine.bytes)} (after ${report.warmUpBatches} batches of warm-up)`,
    `  times of replies (median, longest): ${report.times.map(({ generator, medianMs, maxMs }) => `${generator} ${medianMs}, ${maxMs} ms`).join('; ')}`,
    `  replies: ${JSON.stringify(replies)}`,
  ].join('\n')
}
