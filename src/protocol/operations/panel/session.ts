import {
  InviteOffer,
  Me,
  ResetPasswordRequest,
  ResetLinkAccount,
  ResetLinkQuestion,
  PasswordReset,
  SetUpRequest,
  SetUpState,
  SignUpRequest,
} from '../../panel-session.ts'
import { contract, json } from '../contract.ts'

/** A response that sets the browser's session cookie. */
const signedIn = { 200: { ...json(Me)[200], headers: ['set-cookie'] } } as const

export const sessionContracts = {
  setUpState: contract({ method: 'GET', path: '/panel/api/setup', replies: json(SetUpState) }),
  setUp: contract({
    method: 'POST',
    path: '/panel/api/setup',
    body: SetUpRequest,
    replies: signedIn,
  }),
  signUp: contract({
    method: 'POST',
    path: '/panel/api/sign-up',
    body: SignUpRequest,
    replies: signedIn,
  }),
  resetPassword: contract({
    method: 'POST',
    path: '/panel/api/reset-password',
    body: ResetPasswordRequest,
    replies: { 200: { ...json(PasswordReset)[200], headers: ['set-cookie'] } },
  }),
  findResetLink: contract({
    method: 'POST',
    path: '/panel/api/reset-password/account',
    body: ResetLinkQuestion,
    replies: json(ResetLinkAccount),
  }),
  findInvite: contract({
    method: 'POST',
    path: '/panel/api/sign-up/invite',
    body: ResetLinkQuestion,
    replies: json(InviteOffer),
  }),
  me: contract({ method: 'GET', path: '/panel/api/me', replies: signedIn }),
}
