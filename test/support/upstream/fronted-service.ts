import { strict as assert } from 'node:assert'
import { UpstreamEngine } from '../../../src/engine/upstream/upstream-engine.ts'
import type { UpstreamTimeouts } from '../../../src/engine/upstream/upstream-limits.ts'
import type { UpstreamSettings } from '../../../src/engine/upstream/upstream-settings.ts'
import { type Logger, silentLogger } from '../../../src/telemetry/logger.ts'
import { startTestService } from '../service.ts'

/** Starts the whole service in front of upstream engines, with short timeouts. */
export async function startFrontedService(
  settings: Partial<UpstreamSettings> & Pick<UpstreamSettings, 'urls'>,
  timeouts: Partial<UpstreamTimeouts> = {},
  logger: Logger = silentLogger,
) {
  const engine = await UpstreamEngine.start(
    {
      kind: 'upstream',
      flavour: 'vllm',
      model: 'real-model',
      key: undefined,
      slots: 8,
      contextTokens: undefined,
      ...settings,
    },
    logger,
    {
      firstByteMs: 5000,
      idleMs: 500,
      callIdleMs: 1500,
      probeMs: 500,
      probeEveryMs: 200,
      ...timeouts,
    },
  )
  return {
    ...(await startTestService({ engine })),
    engine,
    /** Waits until a probe has admitted an upstream again. */
    isReady: async () => {
      const deadlineMs = performance.now() + 5000
      while (engine.state !== 'ready' && performance.now() < deadlineMs)
        await new Promise((resolve) => setTimeout(resolve, 20))
      assert.equal(engine.state, 'ready')
    },
  }
}
