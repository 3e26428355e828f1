import type { Admission } from '../../../completions/admission/admission.ts'
import type { EngineRates } from '../../../engine/engine-rates.ts'
import type { EngineStats } from '../../../engine/engine.ts'
import type { Engine } from '../../../engine/engine.ts'
import { queueMax } from '../../../limits.ts'
import { modelId } from '../../../protocol/chat/model-id.ts'
import type { PanelLive } from '../../../protocol/panel-live.ts'
import { version } from '../../../version.ts'

type LiveState = {
  engine: Pick<Engine, 'state' | 'info'>
  admission: Pick<Admission, 'running' | 'waiting'>
  stats: EngineStats
  rates: EngineRates
  readiness: { ledger: boolean; accepting: boolean }
  startedMs: number
  modelDescription: string
  completionTokensMax: number
}

export function toLive(state: LiveState): PanelLive {
  const { admission, stats, rates, readiness, startedMs, modelDescription } = state
  const { completionTokensMax } = state
  const { info } = state.engine
  return {
    engine: {
      state: state.engine.state,
      slots: info.slots,
      running: admission.running,
      prompt_tokens_per_second: rates.promptTokensPerSecond,
      completion_tokens_per_second: rates.completionTokensPerSecond,
      cached_token_share: rates.cachedTokenShare ?? null,
      speculative_tokens: stats.speculativeTokens,
      restarts: stats.restarts,
    },
    queue: { waiting: admission.waiting, max: queueMax },
    service: {
      version,
      started_ms: startedMs,
      ledger_healthy: readiness.ledger,
      accepting: readiness.accepting,
    },
    model: {
      id: modelId,
      description: modelDescription,
      context_tokens: info.contextTokens,
      completion_tokens_max: completionTokensMax,
      fingerprint: info.fingerprint,
      slots: info.slots,
      device: info.device ?? null,
    },
  }
}
