import { createHash } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'

type Condition = { field: string; value: unknown }
type Request = { model: string; where?: Condition[]; data?: object; update?: object }
type Method = (request: Request) => Promise<unknown>

const methods = [
  'create',
  'findOne',
  'findMany',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'count',
  'consumeOne',
  'incrementOne',
] as const

/**
 * Stores the SHA-256 of each session token instead of the token, so that a copy of the database lets no one sign in.
 * better-auth itself sees clear tokens, except in lists of a user's sessions.
 */
export function hashedSessionTokens(): BetterAuthPlugin {
  return {
    id: 'hashed-session-tokens',
    init: ({ adapter }) => {
      const wrapped = methods.map((name) => {
        // The cast is safe: each method takes an object with some members of `Request`.
        const method = adapter[name].bind(adapter) as Method
        return [name, withHashedTokens(method)] as const
      })
      Object.assign(adapter, Object.fromEntries(wrapped))
    },
  }
}

function withHashedTokens(method: Method): Method {
  return async (request) => {
    if (request.model !== 'session') return method(request)
    const tokens = new Map<unknown, string>()
    const digest = (token: unknown): unknown => {
      if (typeof token !== 'string') return token
      const hash = createHash('sha256').update(token).digest('hex')
      tokens.set(hash, token)
      return hash
    }
    const { where, data, update } = request
    const stored = await method({
      ...request,
      ...(where !== undefined && { where: where.map((one) => digestCondition(one, digest)) }),
      ...(data !== undefined && { data: mapToken(data, digest) }),
      ...(update !== undefined && { update: mapToken(update, digest) }),
    })
    const restore = (row: unknown) => mapToken(row, (hash) => tokens.get(hash) ?? hash)
    return Array.isArray(stored) ? stored.map(restore) : restore(stored)
  }
}

function digestCondition(condition: Condition, digest: (token: unknown) => unknown): Condition {
  if (condition.field !== 'token') return condition
  const { value } = condition
  return { ...condition, value: Array.isArray(value) ? value.map(digest) : digest(value) }
}

function mapToken<Row>(row: Row, map: (token: unknown) => unknown): Row {
  if (typeof row !== 'object' || row === null || !('token' in row)) return row
  return { ...row, token: map(row.token) }
}
