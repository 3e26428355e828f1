import { expect, test } from 'vitest'
import {
  finish,
  open,
  type ScriptedUpstream,
  startUpstream,
} from '../../support/upstream/scripted-upstream.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { question } from '../../support/service.ts'

type Service = Awaited<ReturnType<typeof startFrontedService>>

/** Starts a service in front of one upstream, and closes both after the test. */
async function withUpstream(
  run: (scene: { service: Service; upstream: ScriptedUpstream }) => Promise<void>,
  settings: Partial<Parameters<typeof startFrontedService>[0]> = {},
) {
  const upstream = await startUpstream()
  const service = await startFrontedService({ urls: [upstream.url], ...settings })
  try {
    await run({ service, upstream })
  } finally {
    await service.close()
    await upstream.close()
  }
}

test('three faults in a row eject a router, also if probes read its list of models in between', async () => {
  await withUpstream(
    async ({ service, upstream }) => {
      const stateNow = () => service.engine.upstreams()[0]
      const nextProbe = async () => {
        const last = stateNow()?.probedMs
        await expect.poll(() => stateNow()?.probedMs).not.toBe(last)
      }
      upstream.script = (response) => {
        open(response)
        finish(response)
      }
      for (let i = 0; i < 3; i += 1) {
        expect(stateNow()?.ejections).toBe(0)
        expect((await service.post(question)).status).toBe(500)
        // A probe begins after the one before has ended.
        await nextProbe()
        await nextProbe()
      }
      expect(stateNow()?.ejections).toBe(1)
    },
    { flavour: 'openai' },
  )
})
