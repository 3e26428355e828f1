import type { Engine } from '../../../engine/engine.ts'
import type { ModelAdministration } from '../../../models/administration/model-administration.ts'
import {
  type Hardware,
  readHardware,
  type ServingModel,
} from '../../../models/administration/serving-model.ts'
import { modelContracts as contracts } from '../../../protocol/operations/panel/models.ts'
import type { MeasuredSpeed } from '../../../usage/measured-speed.ts'
import { operation, type PanelOperation } from '../../operation.ts'
import { toPanelModel, toPanelModels } from './to-panel-models.ts'

export type PanelModelServices = {
  engine: Engine
  completionTokens: { readonly max: number }
  models: ModelAdministration
  servingModel: () => Promise<ServingModel>
  measuredSpeed: (fingerprint: string) => Promise<MeasuredSpeed>
}

/** The model that serves, for everyone who is signed in; pulls and switches for administrators. */
export function panelModelOperations(services: PanelModelServices): PanelOperation[] {
  const { engine, models } = services
  const admin = { auth: 'session', role: 'admin' } as const
  const any = { auth: 'session', role: 'any' } as const
  const overview = () => toPanelModels(models.overview(), 'admin')
  return [
    operation(
      contracts.serving,
      any,
    )(async () => {
      const { info } = engine
      const serving = await services.servingModel()
      const speed = await services.measuredSpeed(info.fingerprint)
      const hardware: Hardware = readHardware()
      const completionTokensMax = services.completionTokens.max
      return toPanelModel({ info, serving, speed, hardware, completionTokensMax })
    }),
    operation(contracts.list, any)(({ user }) => toPanelModels(models.overview(), user.role)),
    operation(
      contracts.pull,
      admin,
    )(({ body }) => {
      models.pull({ model: body.model.trim() })
      return overview()
    }),
    operation(
      contracts.cancelPull,
      admin,
    )(async ({ params }) => {
      await models.cancel(params.id)
      return overview()
    }),
    operation(
      contracts.resumePull,
      admin,
    )(({ params }) => {
      models.resume(params.id)
      return overview()
    }),
    operation(
      contracts.discardPull,
      admin,
    )(async ({ params }) => {
      await models.discard(params.id)
      return overview()
    }),
    operation(
      contracts.use,
      admin,
    )(({ params }) => {
      models.use(params.name)
      return overview()
    }),
    operation(
      contracts.remove,
      admin,
    )(async ({ params }) => {
      await models.remove(params.name)
      return overview()
    }),
  ]
}
