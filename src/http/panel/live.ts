import { readFile } from 'node:fs/promises'
import type { Admission } from '../../completions/admission/admission.ts'
import { EngineRateMeter } from '../../engine/engine-rates.ts'
import type { Engine } from '../../engine/engine.ts'
import { completionTokensMax, queueMax } from '../../limits.ts'
import { modelId } from '../../protocol/chat-completion.ts'
import type { PanelLive } from '../../protocol/panel-live.ts'
import { version } from '../../version.ts'
import type { PanelRoute } from '../route.ts'
import type { Readiness } from '../operations/health.ts'

export type PanelLiveServices = {
  engine: Engine
  admission: Admission
  readiness: () => Readiness
  now: () => number
  /** One line on the model and what it was given. */
  modelDescription: string
  /** Undefined: of the operator's own model there is none. */
  modelCardPath: string | undefined
}

/** What the service does now. */
export function panelLiveRoute(services: PanelLiveServices): PanelRoute {
  const startedMs = services.now()
  const meter = new EngineRateMeter(() => services.engine.stats())
  let card: Promise<string> | undefined
  return {
    method: 'GET',
    url: '/panel/api/live',
    auth: 'session',
    role: 'any',
    handler: async (): Promise<PanelLive> => {
      const { engine, admission } = services
      const { info } = engine
      const stats = engine.stats()
      const rates = meter.read()
      const { ledger, accepting } = services.readiness()
      card ??= readCard(services.modelCardPath)
      return {
        engine: {
          state: engine.state,
          slots: info.slots,
          running: admission.running,
          prompt_tokens_per_second: rates.promptTokensPerSecond,
          completion_tokens_per_second: rates.completionTokensPerSecond,
          cached_token_share: rates.cachedTokenShare ?? null,
          guessed_tokens: stats.speculativeTokens,
          restarts: stats.restarts,
        },
        queue: { waiting: admission.waiting, max: queueMax },
        service: { version, started_ms: startedMs, ledger_healthy: ledger, accepting },
        model: {
          id: modelId,
          description: services.modelDescription,
          context_tokens: info.contextTokens,
          completion_tokens_max: completionTokensMax,
          fingerprint: info.fingerprint,
          slots: info.slots,
          device: info.device ?? null,
        },
        card: await card,
      }
    },
  }
}

/** A package without the card serves all the same. */
async function readCard(path: string | undefined): Promise<string> {
  if (path === undefined) return ''
  return readFile(path, 'utf8').catch(() => '')
}
