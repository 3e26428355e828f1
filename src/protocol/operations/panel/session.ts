import { NoFields } from '../../panel-keys.ts'
import {
  Me,
  ResetPasswordRequest,
  SetUpRequest,
  SetUpState,
  SignUpRequest,
} from '../../panel-session.ts'
import { contract, json } from '../contract.ts'

/** A reply that gives the browser its session cookie. */
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
    replies: json(NoFields),
  }),
  me: contract({ method: 'GET', path: '/panel/api/me', replies: signedIn }),
}
