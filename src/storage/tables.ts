/**
 * The tables as queries see them. Flags are 0 or 1; times are milliseconds since 1970, but those that
 * better-auth writes (`…_at`), which are text of ISO 8601 in UTC.
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

/** Null: no limit. */
export type LimitColumns = {
  requests_per_minute: number | null
  tokens_per_minute: number | null
  parallel_requests: number | null
  tokens_per_day: number | null
  tokens_per_month: number | null
}

export type AccountRow = LimitColumns & {
  id: string
  name: string
  created_ms: number
  /** Since when nothing of the account is let in; null: it is in use. */
  disabled_ms: number | null
}

/** Who signs in to the panel. Each has an account of its own. */
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

/** How a user proves to be one: a password, or an identity at an issuer. */
export type CredentialRow = {
  id: string
  user_id: string
  /** 'credential': a password. */
  provider_id: string
  /** The user's id, or the subject that the issuer names. */
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

/** What better-auth alone reads is left out. */
export type TwoFactorRow = {
  id: string
  user_id: string
}

/** What better-auth keeps for some minutes between two requests. */
export type VerificationRow = {
  id: string
  identifier: string
  value: string
  expires_at: string
  created_at: string
  updated_at: string
}

/** What a link that is good once allows; the link holds a token, of which this is the SHA-256 in hex. */
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

export type ServiceSecretRow = {
  name: string
  value: string
}

export type ApiKeyRow = LimitColumns & {
  id: string
  account_id: string
  name: string
  /** SHA-256 of the whole key in hex; the key itself is never stored. */
  digest: string
  /** Space-separated; null: everything. */
  scopes: string | null
  created_ms: number
  expires_ms: number | null
  revoked_ms: number | null
  last_used_ms: number | null
  /** Of the key before the last rotation, which is good until then. */
  previous_digest: string | null
  previous_expires_ms: number | null
}

/** One row per request that was admitted. Null counts are unknown, not zero. */
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
  /** Who counted the completion tokens. */
  source: string | null
  billable: number | null
  updated_ms: number
  /** The start of the service that reserved the row. */
  boot_id: string
  /** From arrival to the generation's start; null, as the next two: it did not get there, or nobody knows. */
  queue_ms: number | null
  prefill_ms: number | null
  decode_ms: number | null
  seed: number | null
  fingerprint: string | null
  error_code: string | null
  /** JSON of the parameters that are kept as they were sent; null: none. */
  parameters: string | null
  /** JSON list of the names that nobody knew; null: none. */
  ignored: string | null
}

/**
 * The final rows of `usage`, summed by the hour, day or month (of UTC) of their `created_ms`. The hours
 * are there for each key and, under the key id '', for all keys of the account together.
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

/** Completed requests by how long they took: `usage/latency-histogram.ts` knows the bounds. */
type Latencies = { [bucket in `latency_${number}`]: number }

/** One row per `Idempotency-Key` that is in use: its request runs, or its reply is kept. */
export type IdempotencyRow = {
  account_id: string
  route: string
  /** SHA-256 of the key in hex. */
  key_digest: string
  /** SHA-256 of the body in hex. */
  fingerprint: string
  request_id: string
  updated_ms: number
  /** JSON; null: the request runs. */
  reply: string | null
  /** Of all replies up to this one, in the order in which they were kept. */
  end_bytes: number | null
}

export type SchemaMigrationRow = {
  version: number
  name: string
  applied_ms: number
}
