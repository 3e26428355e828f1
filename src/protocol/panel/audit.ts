import { Type, type Static } from 'typebox'
import { orNull } from '../nullable.ts'

const facts = orNull(
  Type.Unsafe<Readonly<Record<string, string | number | boolean | null>>>({ type: 'object' }),
)

/** A logged change, such as of a key, a limit, a user or the serving model. */
const AuditEntry = Type.Object({
  id: Type.String(),
  at_ms: Type.Integer(),
  actor: Type.String({ description: 'An e-mail address, `command line` or `service`.' }),
  actor_user_id: orNull(Type.String()),
  action: Type.String(),
  account_id: orNull(Type.String()),
  target_id: Type.String(),
  target_name: Type.String(),
  before: facts,
  after: facts,
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditList = Type.Object({
  data: Type.Array(AuditEntry, { description: 'Newest first.' }),
  has_more: Type.Boolean(),
  last_id: orNull(Type.String({ description: 'The value of `after` for the next page.' })),
})
export type AuditList = Static<typeof AuditList>
