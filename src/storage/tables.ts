import type { LimitWireName } from '../key-limits.ts'

/**
 * The tables as queries see them. Flags are 0 or 1. Times are milliseconds since 1970 (`…_ms`), except those of
 * better-auth (`…_at`), which are ISO 8601 text in UTC.
 */
export type Tables = {
  accounts: AccountRow
  api_keys: ApiKeyRow
  users: UserRow
  sessions: SessionRow
  credentials: CredentialRow
  verifications: VerificationRow
  two_factors: TwoFactorRow
  one_time_links: OneTimeLinkRow
  service_secrets: ServiceSecretRow
  usage: UsageRow
  usage_sums: UsageSumsRow
  idempotency: IdempotencyRow
  schema_migrations: SchemaMigrationRow
}

/** One column for each row of `key-limits.ts`; null means unlimited. */
type LimitColumns = Record<LimitWireName, number | null>

export type AccountRow = LimitColumns & {
  id: string
  name: string
  created_ms: number
  /** When the account was disabled; null if it is enabled. */
  disabled_ms: number | null
}

/** A user of the panel. Each has an account of their own. */
export type UserRow = {
  id: string
  account_id: string
  name: string
  email: string
  email_verified: number
  image: string | null
  role: 'admin' | 'member'
  two_factor_enabled: number
  created_at: string
  updated_at: string
}

export type SessionRow = {
  id: string
  user_id: string
  token: string
  expires_at: string
  ip_address: string | null
  user_agent: string | null
  created_at: string
  updated_at: string
}

/** A way to sign in: a password, or an identity at an OIDC issuer. */
type CredentialRow = {
  id: string
  user_id: string
  /** `credential` for a password. */
  provider_id: string
  /** Id of the user, or the subject at the issuer. */
  subject: string
  password: string | null
  access_token: string | null
  refresh_token: string | null
  id_token: string | null
  access_token_expires_at: string | null
  refresh_token_expires_at: string | null
  scope: string | null
  created_at: string
  updated_at: string
}

/** Columns that only better-auth reads are left out. */
type TwoFactorRow = {
  id: string
  user_id: string
}

/** State that better-auth keeps for some minutes between two requests. */
type VerificationRow = {
  id: string
  identifier: string
  value: string
  expires_at: string
  created_at: string
  updated_at: string
}

/** A link that works once. `digest` is the SHA-256, in hex, of the secret in the link. */
export type OneTimeLinkRow = {
  id: string
  digest: string
  purpose: 'setup' | 'invite' | 'reset-password'
  user_id: string | null
  email: string | null
  role: 'admin' | 'member' | null
  created_ms: number
  expires_ms: number
}

type ServiceSecretRow = {
  name: string
  value: string
}

export type ApiKeyRow = LimitColumns & {
  id: string
  account_id: string
  name: string
  /** SHA-256 of the whole key in hex. The key itself is never stored. */
  digest: string
  /** Separated by spaces; null for all scopes. */
  scopes: string | null
  created_ms: number
  expires_ms: number | null
  revoked_ms: number | null
  last_used_ms: number | null
  /** Digest of the key before the last rotation, which is valid until `previous_expires_ms`. */
  previous_digest: string | null
  previous_expires_ms: number | null
}

/**
 * One row per admitted request. Null counts are unknown, not zero. The columns `source` and `billable` of migration
 * 0001 are no longer used.
 */
export type UsageRow = {
  request_id: string
  account_id: string
  key_id: string
  model: string
  route: string
  stream: number
  created_ms: number
  state: 'reserved' | 'final'
  outcome: string | null
  finish_reason: string | null
  prompt_tokens: number
  cached_tokens: number | null
  completion_tokens: number | null
  max_tokens: number
  updated_ms: number
  /** Id of the run of the service that reserved the row. */
  boot_id: string
  /** From arrival to the start of the generation; null, like the next two, if not reached or unknown. */
  queue_ms: number | null
  prefill_ms: number | null
  decode_ms: number | null
  seed: number | null
  fingerprint: string | null
  error_code: string | null
  /** Neutral parameters as JSON, as they were sent; null for none. */
  parameters: string | null
  /** Names of unknown parameters as a JSON list; null for none. */
  ignored: string | null
}

/**
 * The final rows of `usage`, summed by the UTC hour, day or month of their `created_ms`. Hours are summed for each
 * key and, under the key id '', for all keys of the account together.
 */
export type UsageSumsRow = {
  account_id: string
  span: 'hour' | 'day' | 'month'
  key_id: string
  begin_ms: number
  requests: number
  errors: number
  prompt_tokens: number
  cached_tokens: number
  completion_tokens: number
} & Latencies

/** Completed requests by latency. `usage/latency-histogram.ts` has the bounds of the buckets. */
type Latencies = { [bucket in `latency_${number}`]: number }

/** One row per `Idempotency-Key` whose request runs or whose reply is kept. */
type IdempotencyRow = {
  account_id: string
  route: string
  /** SHA-256 of the key in hex. */
  key_digest: string
  /** SHA-256 of the body in hex. */
  fingerprint: string
  request_id: string
  updated_ms: number
  /** The reply as JSON; null while the request runs. */
  reply: string | null
  /** Total size of the kept replies up to and including this one, in the order in which they were kept. */
  end_bytes: number | null
}

type SchemaMigrationRow = {
  version: number
  name: string
  applied_ms: number
}
