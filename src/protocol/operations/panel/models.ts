import { Type } from 'typebox'
import { NewPull, PanelModel, PanelModels } from '../../panel/models.ts'
import { NoFields } from '../../panel-keys.ts'
import { contract, json } from '../contract.ts'
import { idParams } from './query.ts'

const nameParams = Type.Object({ name: Type.String() })

/** The serving model, and the models that can be pulled, used and removed. */
export const modelContracts = {
  serving: contract({ method: 'GET', path: '/panel/api/model', replies: json(PanelModel) }),
  list: contract({ method: 'GET', path: '/panel/api/models', replies: json(PanelModels) }),
  pull: contract({
    method: 'POST',
    path: '/panel/api/models/pulls',
    body: NewPull,
    replies: json(PanelModels),
  }),
  cancelPull: contract({
    method: 'POST',
    path: '/panel/api/models/pulls/:id/cancel',
    params: idParams,
    body: NoFields,
    replies: json(PanelModels),
  }),
  resumePull: contract({
    method: 'POST',
    path: '/panel/api/models/pulls/:id/resume',
    params: idParams,
    body: NoFields,
    replies: json(PanelModels),
  }),
  discardPull: contract({
    method: 'POST',
    path: '/panel/api/models/pulls/:id/discard',
    params: idParams,
    body: NoFields,
    replies: json(PanelModels),
  }),
  use: contract({
    method: 'POST',
    path: '/panel/api/models/:name/use',
    params: nameParams,
    body: NoFields,
    replies: json(PanelModels),
  }),
  remove: contract({
    method: 'POST',
    path: '/panel/api/models/:name/remove',
    params: nameParams,
    body: NoFields,
    replies: json(PanelModels),
  }),
}
