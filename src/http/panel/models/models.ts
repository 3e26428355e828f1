import type { Engine } from '../../../engine/engine.ts'
import type { ModelAdministration } from '../../../models/administration/model-administration.ts'
import {
  type Hardware,
  readHardware,
  type ServingModel,
} from '../../../models/administration/serving-model.ts'
import { toActor } from '../../../people/audit/audit-entries.ts'
import { modelContracts as contracts } from '../../../protocol/operations/panel/models.ts'
import type { MeasuredSpeed } from '../../../usage/measured-speed.ts'
import { operation, type PanelOperation } from '../../operation.ts'
import { toPanelModel, toPanelModels } from './to-panel-models.ts'
import { adminOnly, signedIn } from '../../access/check-session.ts'

export type PanelModelServices = {
  engine: Engine
  completionTokens: { readonly max: number }
  models: ModelAdministration
  servingModel: () => Promise<ServingModel>
  measuredSpeed: (fingerprint: string) => Promise<MeasuredSpeed>
}

/**
 * Operations on models. Every signed-in user can read which model is serving; administrators pull and switch models.
 */
export function panelModelOperations(services: PanelModelServices): PanelOperation[] {
  const { engine, models } = services
  const overview = () => toPanelModels(models.overview(), 'admin')
  return [
    operation(
      contracts.serving,
      signedIn,
    )(async () => {
      const { info } = engine
      const serving = await services.servingModel()
      const speed = await services.measuredSpeed(info.fingerprint)
      const hardware: Hardware = readHardware()
      const completionTokensMax = services.completionTokens.max
      return toPanelModel({ info, serving, speed, hardware, completionTokensMax })
    }),
    operation(contracts.list, signedIn)(({ user }) => toPanelModels(models.overview(), user.role)),
    operation(
      contracts.pull,
      adminOnly,
    )(async ({ body, user }) => {
      await models.pull({ model: body.model.trim() }, toActor(user))
      return overview()
    }),
    operation(
      contracts.cancelPull,
      adminOnly,
    )(async ({ params }) => {
      await models.cancel(params.id)
      return overview()
    }),
    operation(
      contracts.resumePull,
      adminOnly,
    )(async ({ params, user }) => {
      await models.resume(params.id, toActor(user))
      return overview()
    }),
    operation(
      contracts.discardPull,
      adminOnly,
    )(async ({ params }) => {
      await models.discard(params.id)
      return overview()
    }),
    operation(
      contracts.use,
      adminOnly,
    )(({ params, user }) => {
      models.use(params.name, toActor(user))
      return overview()
    }),
    operation(
      contracts.remove,
      adminOnly,
    )(async ({ params, user }) => {
      await models.remove(params.name, toActor(user))
      return overview()
    }),
  ]
}
