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
  two_factor_steps: TwoFactorStepRow
  passkeys: PasskeyRow
  one_time_links: OneTimeLinkRow
  usage: UsageRow
  usage_sums: UsageSumsRow
  usage_errors: UsageErrorsRow
  usage_times: UsageTimesRow
  idempotency: IdempotencyRow
  service_times: ServiceTimeRow
  audit_log: AuditRow
  prices: PriceRow
  budgets: BudgetRow
  budget_alerts: BudgetAlertRow
  alert_settings: AlertSettingsRow
  alert_deliveries: AlertDeliveryRow
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
  /** SHA-256, in hex, of the session id in the cookie. */
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
  /** Encrypted by better-auth. */
  secret: string
}

/** The last code that was accepted of an authenticator app. */
type TwoFactorStepRow = {
  two_factor_id: string
  /** Time of the code in periods of 30 s since 1970. */
  step: number
}

/** Columns that only better-auth reads are left out. */
type PasskeyRow = {
  id: string
  user_id: string
  name: string | null
  credential_id: string
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

export type ApiKeyRow = LimitColumns & {
  id: string
  account_id: string
  name: string
  /** SHA-256 of the whole key in hex. The key itself is never stored. */
  digest: string
  /** The last four characters of the key, which belong to its checksum; null for keys older than migration 0011. */
  last_chars: string | null
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
  /** Completion tokens spent on reasoning; null for a model that does not reason. */
  reasoning_tokens: number | null
  max_tokens: number
  updated_ms: number
  /** Id of the service run that reserved the row. */
  boot_id: string
  /** Time from arrival to the start of generation. This and the next two columns are null if not reached or unknown. */
  queue_ms: number | null
  prefill_ms: number | null
  decode_ms: number | null
  seed: number | null
  fingerprint: string | null
  error_code: string | null
  /** Request parameter that the error names, and the error's message. Long texts are truncated. */
  error_param: string | null
  error_message: string | null
  /** Accepted parameters that cannot change the reply, as JSON, as they were sent; null for none. */
  parameters: string | null
  /** Names of unknown parameters as a JSON list; null for none. */
  ignored: string | null
}

/**
 * Final rows of `usage`, summed by the UTC hour, day or month of their `created_ms`. Sums are per key. Hours also have
 * a sum over all keys of the account, under the key id ''.
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

/**
 * Requests that ended with an error, counted by the UTC hour of their arrival and the error code. Counts are per key
 * and, under the key id '', for all keys of the account. Errors without a receipt are counted only here.
 */
type UsageErrorsRow = {
  account_id: string
  key_id: string
  begin_ms: number
  code: string
  requests: number
  /** Requests that had a receipt. */
  receipts: number
  /** Requests that were refused before a token was generated. */
  refused: number
}

/**
 * Requests that got a first token, counted by the UTC hour of their arrival and a time bucket: `queued` by queueing
 * time, `first_tokens` by time to first token. The key id '' stands for all keys of the account. Deleted with old
 * receipts.
 */
type UsageTimesRow = {
  account_id: string
  key_id: string
  begin_ms: number
  bucket: number
  queued: number
  first_tokens: number
}

/** Completed requests by latency. `usage/latency-histogram.ts` has the bounds of the buckets. */
type Latencies = { [bucket in `latency_${number}`]: number }

/**
 * One row per `Idempotency-Key` whose request is running or whose reply is stored. The account id '' has the last write
 * of refusals/refusal-counts.ts of each service run.
 */
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
  /**
   * Running total of the sizes of the stored replies up to and including this one, in the order in which they were
   * stored.
   */
  end_bytes: number | null
}

/** A change to a key, a limit or a user. `before` and `after` are JSON objects without secrets. */
export type AuditRow = {
  id: string
  at_ms: number
  actor_user_id: string | null
  actor: string
  action: string
  account_id: string | null
  target_id: string
  target_name: string
  before: string | null
  after: string | null
}

/** Prices that apply from the start of a UTC day, in millionths of the currency per million tokens. */
type PriceRow = {
  from_ms: number
  /** The same in all rows. */
  currency: string
  prompt_micros: number
  cached_micros: number
  completion_micros: number
}

/**
 * The amount that an account is expected to use in a UTC month. Its thresholds raise alerts. A budget never refuses a
 * request.
 */
type BudgetRow = {
  account_id: string
  kind: 'tokens' | 'money'
  /** Tokens, or millionths of the currency. */
  amount: number
  /** Null for tokens. */
  currency: string | null
  /** Percentages in ascending order, separated by spaces. */
  thresholds: string
  set_ms: number
}

/** A threshold that an account has reached in a UTC month. The primary key allows one row, so one alert is raised. */
type BudgetAlertRow = {
  account_id: string
  month_ms: number
  threshold: number
  /** Id of the alert, shared by its deliveries. */
  id: string
  raised_ms: number
}

/** Destinations of alerts, in one row named `alerts`. A destination with null columns is not used. */
type AlertSettingsRow = {
  name: 'alerts'
  webhook_url: string | null
  /** Secret that signs the webhooks. */
  webhook_secret: string | null
  /** Mail server, sender and recipients as JSON. */
  mail: string | null
}

/** The sending of one alert over one channel. */
export type AlertDeliveryRow = {
  id: string
  alert_id: string
  channel: 'webhook' | 'mail'
  /** The JSON text to send. Each attempt sends the same bytes. */
  body: string
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  /** When the next attempt may begin. */
  next_ms: number
  /** Response or error of the last attempt. */
  result: string | null
  created_ms: number
  updated_ms: number
}

/** A time that the service keeps across restarts; `change` is the mark of change-mark.ts. */
type ServiceTimeRow = {
  name: 'expiry' | 'change' | 'invites'
  at_ms: number
}

type SchemaMigrationRow = {
  version: number
  name: string
  applied_ms: number
}
