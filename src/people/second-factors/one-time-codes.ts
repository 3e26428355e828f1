import { createHmac, timingSafeEqual } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { Database } from '../../storage/database.ts'
import { queries, toStatement } from '../../storage/statement.ts'

/** Period and number of digits of better-auth's codes. */
const stepMs = 30_000
const digits = 6
/** Steps before and after the current one whose codes better-auth accepts, too. */
const stepsAround = 1

/**
 * Lets each code of an authenticator app be used once, as RFC 6238 (section 5.2) requires: better-auth accepts one as
 * often as it is sent within 90 s. After a code, earlier ones are refused, too. A wrong code is left to better-auth.
 */
export function oneTimeCodes(database: Database): BetterAuthPlugin {
  const takeCode = createAuthMiddleware(async (context) => {
    const {
      secret: signingSecret,
      secretConfig,
      createAuthCookie,
      internalAdapter,
    } = context.context
    // Chooses the user in the same way as better-auth: that of the session, else that of the sign-in under way.
    const findUserId = async (): Promise<string | undefined> => {
      const session = await getSessionFromCtx(context)
      if (session !== null) return session.user.id
      const cookie = createAuthCookie('two_factor')
      const identifier = await context.getSignedCookie(cookie.name, signingSecret)
      if (typeof identifier !== 'string') return undefined
      return (await internalAdapter.findVerificationValue(identifier))?.value
    }
    const userId = await findUserId()
    if (userId === undefined) return
    const rows = await database.read(
      queries.selectFrom('two_factors').select(['id', 'secret']).where('user_id', '=', userId),
    )
    const [factor] = rows
    if (factor === undefined) return
    const secret = await symmetricDecrypt({ key: secretConfig, data: factor.secret })
    const { code } = context.body as { code: string }
    const step = findStep(secret, code, Date.now())
    if (step !== undefined && !(await takeStep(database, factor.id, step)))
      throw new APIError('UNAUTHORIZED', { code: 'CODE_ALREADY_USED' })
  })
  const matcher = ({ path }: { path?: string }) => path === '/two-factor/verify-totp'
  return { id: 'one-time-codes', hooks: { before: [{ matcher, handler: takeCode }] } }
}

/** Returns the latest time step whose code this is; undefined for a wrong code. */
function findStep(secret: string, code: string, nowMs: number): number | undefined {
  const current = Math.floor(nowMs / stepMs)
  for (let step = current + stepsAround; step >= current - stepsAround; step--)
    if (isEqual(codeAt(secret, step), code)) return step
  return undefined
}

/** Returns the code of a time step, as RFC 4226 computes it. */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

function isEqual(expected: string, code: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(code)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Stores the step if it is later than the stored one. Of two calls at the same time, one succeeds. */
async function takeStep(database: Database, id: string, step: number): Promise<boolean> {
  const take = queries
    .insertInto('two_factor_steps')
    .values({ two_factor_id: id, step })
    .onConflict((conflict) =>
      conflict
        .column('two_factor_id')
        .doUpdateSet({ step })
        .where('two_factor_steps.step', '<', step),
    )
    .returning('step')
  return (await database.writeReturning(toStatement(take))).length > 0
}
