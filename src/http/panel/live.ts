import type { Admission } from '../../completions/admission/admission.ts'
import { EngineRateMeter } from '../../engine/engine-rates.ts'
import type { Engine } from '../../engine/engine.ts'
import { activityContracts } from '../../protocol/operations/panel/activity.ts'
import { operation, type PanelOperation } from '../operation.ts'
import type { Readiness } from '../operations/health.ts'
import { toLive } from '../wire/panel/to-live.ts'
import { signedIn } from '../access/check-session.ts'

export type PanelLiveServices = {
  engine: Engine
  admission: Admission
  readiness: () => Readiness
  now: () => number
  /** Returns a one-line description of the model, its slots and its memory. */
  modelDescription: () => string
  completionTokens: { readonly max: number }
}

/** The current state of the engine, the queue and the service. */
export function liveOperation(services: PanelLiveServices): PanelOperation {
  const startedMs = services.now()
  const meter = new EngineRateMeter(() => services.engine.stats())
  return operation(
    activityContracts.live,
    signedIn,
  )(() => {
    const { engine, admission, modelDescription } = services
    return toLive({
      engine,
      admission,
      stats: engine.stats(),
      rates: meter.read(),
      readiness: services.readiness(),
      startedMs,
      modelDescription: modelDescription(),
      completionTokensMax: services.completionTokens.max,
    })
  })
}
