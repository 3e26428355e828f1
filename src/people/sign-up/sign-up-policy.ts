import type { SignUpMode } from '../../config.ts'
import { ServiceError } from '../../errors.ts'
import { type Actor, recordAudit } from '../../storage/audit/audit-log.ts'
import type { Database } from '../../storage/database.ts'
import { queries, toStatement } from '../../storage/statement.ts'

type SignUpOptions = {
  database: Database
  now: () => number
  /** The value of PIPIT_SIGN_UP. If it is not set, admins turn invites on and off in the panel. */
  fixed: SignUpMode | undefined
}

/** Name of the row in `service_times` that exists while invites are on. Its time is when they were turned on. */
const name = 'invites'

/** Decides who can create an account. An admin's choice is stored in the database, so all processes share it. */
export class SignUpPolicy {
  readonly #options: SignUpOptions

  constructor(options: SignUpOptions) {
    this.#options = options
  }

  /** True if admins can turn invites on and off; false if PIPIT_SIGN_UP is set. */
  get canChange(): boolean {
    return this.#options.fixed === undefined
  }

  /** @throws ServiceError ledger_unavailable */
  async mode(): Promise<SignUpMode> {
    const { database, fixed } = this.#options
    if (fixed !== undefined) return fixed
    const [on] = await database.read(
      queries.selectFrom('service_times').select('at_ms').where('name', '=', name),
    )
    return on === undefined ? 'closed' : 'invite'
  }

  /** @throws ServiceError invalid_value if PIPIT_SIGN_UP is set; ledger_unavailable */
  async allowInvites(allowed: boolean, by: Actor): Promise<void> {
    const { database, now } = this.#options
    if (!this.canChange)
      throw new ServiceError(
        'invalid_value',
        'The setting PIPIT_SIGN_UP decides who can create an account. Remove it, restart the service, then turn invites on or off here.',
        { param: 'allowed' },
      )
    const turnOn = queries
      .insertInto('service_times')
      .values({ name, at_ms: now() })
      .onConflict((conflict) => conflict.column('name').doNothing())
    const turnOff = queries.deleteFrom('service_times').where('name', '=', name)
    const target = { id: name, name: '' }
    const audit = {
      by,
      action: 'invites.allow',
      accountId: null,
      target,
      after: { allowed },
    } as const
    await database.write([toStatement(allowed ? turnOn : turnOff), ...recordAudit(audit, now())])
  }
}
