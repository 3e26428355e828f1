import { insertAccount, newAccountId } from '../accounts/accounts.ts'
import { parseName } from '../accounts/name.ts'
import { ServiceError } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { queries } from '../storage/statement.ts'
import type { NewOidcUser, OidcPerson } from './better-auth.ts'
import { hasUsers, type OneTimeLink, writeWithLink } from './one-time-links.ts'
import type { SignUpPolicy } from './sign-up/sign-up-policy.ts'
import { parseEmail } from './users.ts'

type OidcAdmission = {
  database: Database
  now: () => number
  signUpPolicy: Pick<SignUpPolicy, 'mode'>
}

/**
 * Creates an account for a person who signs in through the OIDC issuer for the first time. Refuses an address that the
 * issuer has not verified: otherwise anyone could claim the address of an invite.
 * @throws ServiceError sign_up_closed, email_unverified, ledger_unavailable
 */
export async function admitOidcUser(
  { database, now, signUpPolicy }: OidcAdmission,
  person: OidcPerson,
): Promise<NewOidcUser> {
  const email = parseEmail(person.email)
  const signUp = await signUpPolicy.mode()
  const invite = signUp === 'closed' ? undefined : await findInviteFor(database, email, now())
  if (signUp === 'closed' || !(await hasUsers(database))) throw signUpClosed()
  if (signUp === 'invite' && invite === undefined) throw signUpClosed()
  if (!person.emailVerified) throw emailUnverified()
  const accountId = newAccountId()
  const name = printableName(person.name) ?? email.split('@')[0] ?? email
  const steps = [insertAccount(accountId, name, now())]
  const written =
    invite === undefined
      ? await database.write(steps)
      : await writeWithLink(database, invite, steps)
  if (written === 0) throw signUpClosed()
  return { email, name, accountId, role: invite?.role ?? 'member' }
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
