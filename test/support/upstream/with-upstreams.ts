import { startFrontedService } from './fronted-service.ts'
import { startUpstream } from './scripted-upstream.ts'

/** Starts a service in front of several upstreams, and closes all of them after the test. */
export async function withUpstreams(
  count: number,
  run: (scene: {
    service: Awaited<ReturnType<typeof startFrontedService>>
    upstreams: Awaited<ReturnType<typeof startUpstream>>[]
  }) => Promise<void>,
  settings: Partial<Parameters<typeof startFrontedService>[0]> = {},
  timeouts: Parameters<typeof startFrontedService>[1] = {},
) {
  const upstreams = await Promise.all(Array.from({ length: count }, () => startUpstream()))
  const urls = upstreams.map(({ url }) => url)
  const service = await startFrontedService({ urls, ...settings }, timeouts)
  try {
    await run({ service, upstreams })
  } finally {
    await service.close()
    await Promise.all(upstreams.map((upstream) => upstream.close()))
  }
}

/** Only the probe of the start, which has time enough on a busy machine. */
export const noProbes = {
  probeEveryMs: 3_600_000,
  connectMs: 10_000,
  firstByteMs: 10_000,
  probeMs: 10_000,
}
