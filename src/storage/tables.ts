/** The tables as queries see them. Flags are 0 or 1; times are milliseconds since 1970. */
export type Tables = {
  accounts: AccountRow
  api_keys: ApiKeyRow
  usage: UsageRow
  usage_hour: UsageHourRow
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

/** The final rows of `usage`, summed by the hour of their `created_ms`. */
export type UsageHourRow = {
  account_id: string
  hour_ms: number
  key_id: string
  model: string
  billable: number
  requests: number
  prompt_tokens: number
  cached_tokens: number
  completion_tokens: number
}

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
