/** SQLite schema version that these tables correspond to. */
export const baseVersion = 10

const latencyBuckets = 36

/** Returns the statements that create all tables and the triggers that notify other processes of changes. */
export function baseTables(changeChannel: string): string {
  return [keys, usage, sums, people, notices(changeChannel)].join('\n')
}

const limits = [
  'requests_per_minute',
  'tokens_per_minute',
  'parallel_requests',
  'tokens_per_day',
  'tokens_per_month',
]
  .map((name) => `${name} bigint`)
  .join(', ')

const keys = `
create table schema_migrations (version integer primary key, name text not null, applied_ms bigint not null);
create table accounts (
  id text primary key, name text not null, created_ms bigint not null, ${limits}, disabled_ms bigint);
create table api_keys (
  id text primary key, account_id text not null references accounts (id), name text not null,
  digest text not null unique, scopes text, created_ms bigint not null, expires_ms bigint, revoked_ms bigint,
  last_used_ms bigint, ${limits}, previous_digest text, previous_expires_ms bigint);
create table service_times (name text primary key, at_ms bigint not null);`

const usage = `
create table usage (
  request_id text primary key, account_id text not null, key_id text not null, model text not null,
  route text not null, stream integer not null, created_ms bigint not null,
  state text not null check (state in ('reserved', 'final')), outcome text, finish_reason text,
  prompt_tokens bigint not null, cached_tokens bigint, completion_tokens bigint, reasoning_tokens bigint,
  max_tokens bigint not null, updated_ms bigint not null, boot_id text not null, queue_ms bigint,
  prefill_ms bigint, decode_ms bigint, seed bigint, fingerprint text, error_code text, error_param text,
  error_message text, parameters text, ignored text);
create index usage_reserved on usage (boot_id) where state = 'reserved';
create index usage_created on usage (created_ms);
create index usage_outcome on usage (account_id, outcome, created_ms) where state = 'final';
create index usage_key_outcome on usage (account_id, key_id, outcome, created_ms) where state = 'final';
create table idempotency (
  account_id text not null, route text not null, key_digest text not null, fingerprint text not null,
  request_id text not null unique, updated_ms bigint not null, reply text, end_bytes bigint,
  primary key (account_id, route, key_digest));
create index idempotency_updated_ms on idempotency (updated_ms);
create index idempotency_end_bytes on idempotency (end_bytes);`

const summed = [
  'requests',
  'errors',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  ...Array.from({ length: latencyBuckets }, (_, bucket) => `latency_${bucket}`),
]
  .map((name) => `${name} bigint not null default 0`)
  .join(', ')

const sums = `
create table usage_sums (
  account_id text not null, span text not null check (span in ('hour', 'day', 'month')), key_id text not null,
  begin_ms bigint not null, ${summed}, primary key (account_id, span, key_id, begin_ms));
create index usage_sums_day on usage_sums (begin_ms) where span = 'day';
create index usage_sums_month on usage_sums (begin_ms) where span = 'month';
create table usage_errors (
  account_id text not null, key_id text not null, begin_ms bigint not null, code text not null,
  requests bigint not null, receipts bigint not null, primary key (account_id, key_id, begin_ms, code));`

const ofUser = 'user_id text not null references users (id) on delete cascade'

const people = `
create table users (
  id text primary key, account_id text not null unique references accounts (id), name text not null,
  email text not null unique, email_verified integer not null, image text, role text not null,
  two_factor_enabled integer not null default 0, created_at text not null, updated_at text not null);
create table sessions (
  id text primary key, ${ofUser}, token text not null unique, expires_at text not null, ip_address text,
  user_agent text, created_at text not null, updated_at text not null);
create index sessions_user on sessions (user_id);
create table credentials (
  id text primary key, ${ofUser}, provider_id text not null, subject text not null, password text,
  access_token text, refresh_token text, id_token text, access_token_expires_at text,
  refresh_token_expires_at text, scope text, created_at text not null, updated_at text not null,
  unique (provider_id, subject));
create index credentials_user on credentials (user_id);
create table two_factors (
  id text primary key, ${ofUser}, secret text not null, backup_codes text not null, verified integer,
  failed_verification_count integer, locked_until text);
create index two_factors_user on two_factors (user_id);
create table passkeys (
  id text primary key, ${ofUser}, name text, public_key text not null, credential_id text not null unique,
  counter integer not null, device_type text not null, backed_up integer not null, transports text,
  created_at text, aaguid text);
create index passkeys_user on passkeys (user_id);
create table verifications (
  id text primary key, identifier text not null, value text not null, expires_at text not null,
  created_at text not null, updated_at text not null);
create index verifications_identifier on verifications (identifier);
create table one_time_links (
  id text primary key, digest text not null unique, purpose text not null,
  user_id text references users (id) on delete cascade, email text, role text, created_ms bigint not null,
  expires_ms bigint not null);`

/**
 * Returns the SQL of the triggers that notify other processes. They skip updates that change only `last_used_ms`: every
 * request makes one, and no other process needs it.
 */
function notices(channel: string): string {
  const tables = ['accounts', 'api_keys', 'users', 'sessions', 'service_times']
  return [
    `create function pipit_notify() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and to_jsonb(old) - 'last_used_ms' = to_jsonb(new) - 'last_used_ms' then
          return null;
        end if;
        notify ${channel};
        return null;
      end $$;`,
    ...tables.map(
      (table) => `create trigger ${table}_notify after insert or update or delete on ${table}
        for each row execute function pipit_notify();`,
    ),
  ].join('\n')
}
