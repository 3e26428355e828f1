import type { EngineInfo } from '../../engine/engine.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import type { Model } from '../../protocol/chat/model.ts'
import { unixSeconds } from '../../usage/utc-periods.ts'

export function toModel({ contextTokens }: EngineInfo, startedMs: number): Model {
  return {
    id: modelId,
    object: 'model',
    created: unixSeconds(startedMs),
    owned_by: 'pipit',
    context_length: contextTokens,
    max_model_len: contextTokens,
  }
}
