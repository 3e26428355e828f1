import { Type } from 'typebox'
import { accountsListedDefault, accountsListedMax } from '../../../sign-in-limits.ts'
import {
  AccountChanges,
  AllowInvites,
  InviteList,
  IssuedInvite,
  IssuedLink,
  NewInvite,
  PanelAccount,
  PanelAccountList,
} from '../../panel-accounts.ts'
import { NoFields } from '../../panel-keys.ts'
import { contract, json } from '../contract.ts'
import { closed, idParams, rowLimit, text } from './query.ts'

export const accountContracts = {
  list: contract({
    method: 'GET',
    path: '/panel/api/accounts',
    query: Type.Object(
      { search: text, after: text, limit: rowLimit(accountsListedMax, accountsListedDefault) },
      closed,
    ),
    replies: json(PanelAccountList),
  }),
  edit: contract({
    method: 'POST',
    path: '/panel/api/accounts/:id',
    params: idParams,
    body: AccountChanges,
    replies: json(PanelAccount),
  }),
  resetPassword: contract({
    method: 'POST',
    path: '/panel/api/accounts/:id/reset-password',
    params: idParams,
    body: NoFields,
    replies: json(IssuedLink),
  }),
  listInvites: contract({
    method: 'GET',
    path: '/panel/api/invites',
    replies: json(InviteList),
  }),
  allowInvites: contract({
    method: 'POST',
    path: '/panel/api/invites/allowed',
    body: AllowInvites,
    replies: json(InviteList),
  }),
  createInvite: contract({
    method: 'POST',
    path: '/panel/api/invites',
    body: NewInvite,
    replies: json(IssuedInvite),
  }),
  revokeInvite: contract({
    method: 'POST',
    path: '/panel/api/invites/:id/revoke',
    params: idParams,
    body: NoFields,
    replies: json(NoFields),
  }),
}
