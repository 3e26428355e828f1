import { parseName } from '../accounts/name.ts'
import { ServiceError } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import type { OidcPerson } from './better-auth.ts'
import { hasUsers, type OneTimeLink } from './one-time-links.ts'
import type { SignUpPolicy } from './sign-up/sign-up-policy.ts'
import { createUser, findUserByEmail, oidcProvider, parseEmail } from './users.ts'

type OidcAdmission = {
  database: Database
  now: () => number
  signUpPolicy: Pick<SignUpPolicy, 'mode'>
}

/**
 * Creates a user with an account for a person who signs in through the OIDC issuer for the first time. Refuses an
 * address that the issuer has not verified: otherwise anyone could claim the address of an invite. Does nothing for a
 * known person, or if another user has the address: better-auth then refuses the sign-in.
 * @throws ServiceError sign_up_closed, email_unverified, link_expired, email_taken, ledger_unavailable
 */
export async function admitOidcUser(
  { database, now, signUpPolicy }: OidcAdmission,
  person: OidcPerson,
): Promise<void> {
  if (await isKnown(database, person)) return
  const email = parseEmail(person.email)
  const signUp = await signUpPolicy.mode()
  const invite = signUp === 'closed' ? undefined : await findInviteFor(database, email, now())
  if (signUp === 'closed' || !(await hasUsers(database))) throw signUpClosed()
  if (signUp === 'invite' && invite === undefined) throw signUpClosed()
  if (!person.emailVerified) throw emailUnverified()
  const name = printableName(person.name) ?? email.split('@')[0] ?? email
  const user = { email, name, role: invite?.role ?? 'member', oidcSubject: person.subject } as const
  await createUser(database, invite === undefined ? user : { ...user, link: invite }, now())
}

export function signUpClosed(): ServiceError {
  return new ServiceError(
    'sign_up_closed',
    'Sign-up is closed. Ask an admin for an account or an invite.',
  )
}

function emailUnverified(): ServiceError {
  return new ServiceError(
    'email_unverified',
    'The sign-in provider has not verified this e-mail address. Verify it there, then sign in again.',
  )
}

async function isKnown(database: Database, { subject, email }: OidcPerson): Promise<boolean> {
  const credentials = await database.read(
    queries
      .selectFrom('credentials')
      .select('id')
      .where('provider_id', '=', oidcProvider)
      .where('subject', '=', subject),
  )
  return credentials.length > 0 || (await findUserByEmail(database, email)) !== undefined
}

async function findInviteFor(
  database: Database,
  email: string,
  nowMs: number,
): Promise<OneTimeLink | undefined> {
  const [link] = await database.read(
    queries
      .selectFrom('one_time_links')
      .select(['id', 'purpose', 'user_id', 'email', 'role'])
      .where('purpose', '=', 'invite')
      .where('email', '=', email)
      .where('expires_ms', '>', nowMs)
      .limit(1),
  )
  return link
}

function printableName(name: string): string | undefined {
  try {
    return parseName(name)
  } catch {
    return undefined
  }
}
