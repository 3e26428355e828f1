import { Type } from 'typebox'
import { apiKeysMax } from '../../../limits.ts'
import {
  keyFilters,
  keysListedDefault,
  keysListedMax,
  keySorts,
  sortOrders,
} from '../../panel/values.ts'
import {
  IssuedPanelKey,
  NewPanelKey,
  NoFields,
  PanelKey,
  PanelKeyChanges,
  PanelKeyList,
  PanelKeyRotation,
} from '../../panel-keys.ts'
import { contract, json } from '../contract.ts'
import { choice, closed, idParams, rowLimit, text } from './query.ts'

export const keyContracts = {
  list: contract({
    method: 'GET',
    path: '/panel/api/keys',
    query: Type.Object(
      {
        search: text,
        state: choice(keyFilters),
        sort: choice(keySorts),
        order: choice(sortOrders),
        offset: Type.Optional(Type.Integer({ minimum: 0, maximum: apiKeysMax, default: 0 })),
        limit: rowLimit(keysListedMax, keysListedDefault),
      },
      closed,
    ),
    replies: json(PanelKeyList),
  }),
  create: contract({
    method: 'POST',
    path: '/panel/api/keys',
    body: NewPanelKey,
    replies: json(IssuedPanelKey),
  }),
  find: contract({
    method: 'GET',
    path: '/panel/api/keys/:id',
    params: idParams,
    replies: json(PanelKey),
  }),
  edit: contract({
    method: 'POST',
    path: '/panel/api/keys/:id',
    params: idParams,
    body: PanelKeyChanges,
    replies: json(PanelKey),
  }),
  rotate: contract({
    method: 'POST',
    path: '/panel/api/keys/:id/rotate',
    params: idParams,
    body: PanelKeyRotation,
    replies: json(IssuedPanelKey),
  }),
  revoke: contract({
    method: 'POST',
    path: '/panel/api/keys/:id/revoke',
    params: idParams,
    body: NoFields,
    replies: json(PanelKey),
  }),
}
