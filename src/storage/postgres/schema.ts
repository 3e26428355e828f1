import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { StartError } from '../../errors.ts'
import { countRefusals } from '../migrations/from-0011/0012-usage-details.ts'
import { codeOf } from '../storage-fault.ts'
import { databaseUpgradeTimeoutMs } from '../storage-limits.ts'
import { baseTables, baseVersion } from './base-tables.ts'
import { leaseFunctions, replicaFunctions, replicaTables, spentFunction } from './replica-tables.ts'
import { refuseUnfinishedTransfer } from './unfinished-transfer.ts'

/** Notification channel for changes that other processes must read. */
export const changeChannel = 'pipit_changes'
/** 'PIPS': the advisory lock of an upgrade. */
const upgradeLock = 0x50495053

/** Code of the error after `lock_timeout`. */
const lockNotAvailable = '55P03'
/** Time after an upgrade that another program's lock has stopped until the next attempt. */
const lockRetryMs = 5_000

/**
 * Time after its last heartbeat for which a service counts as running. It is longer than the time after which other
 * replicas close a service without heartbeats.
 */
export const runningMs = 10_000
/** Schema version assumed for services that do not report the one they know. */
const untoldVersion = 14

/**
 * Keeps two services that set prices at the same moment from storing two currencies. The second waits for the lock, and
 * its check then sees the price of the first: each statement of the function reads anew. 0x50495043 is 'PIPC'.
 */
const oneCurrency = `
  create function pipit_one_currency() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock(${0x50495043});
    if exists (select 1 from prices where from_ms <> new.from_ms and currency <> new.currency) then
      return null;
    end if;
    return new;
  end $$;
  create trigger prices_currency before insert on prices for each row execute function pipit_one_currency();`

export type SchemaUpgrade = {
  version: number
  name: string
  sql: string
  /**
   * Oldest schema version that a service must know to use the tables after this upgrade. Leave it out if the upgrade
   * only adds: services of earlier versions then keep running. An upgrade that removes something names the released
   * version that stopped using it.
   */
  needs?: number
}

/**
 * Upgrades after `baseVersion`, in order and without gaps. A released one never changes. From 14 on, SQLite numbers its
 * versions differently, because only PostgreSQL has tables for replicas. See docs/decisions/0024.
 */
export const upgrades: readonly SchemaUpgrade[] = [
  { version: 11, name: '0011-key-hints', sql: 'alter table api_keys add column last_chars text' },
  {
    version: 12,
    name: '0012-usage-details',
    sql: `
      create table usage_times (
        account_id text not null, key_id text not null, begin_ms bigint not null, bucket integer not null,
        queued bigint not null, first_tokens bigint not null,
        primary key (account_id, key_id, begin_ms, bucket));
      create index usage_times_begin on usage_times (begin_ms);
      create index usage_error on usage (account_id, error_code, created_ms) where error_code is not null;
      alter table usage_errors add column refused bigint not null default 0;
      ${countRefusals}`,
  },
  {
    version: 13,
    name: '0013-audit-log',
    sql: `
      create table audit_log (
        id text primary key, at_ms bigint not null, actor_user_id text, actor text not null, action text not null,
        account_id text, target_id text not null, target_name text not null, before text, after text);
      create index audit_log_at on audit_log (at_ms);`,
  },
  { version: 14, name: 'replicas', sql: replicaTables },
  {
    version: 15,
    name: 'schema-needs',
    sql: `
      create table schema_needs (id integer primary key, version integer not null);
      insert into schema_needs values (1, 0);
      alter table replicas add column knows integer`,
  },
  // The column is null for replicas of versions that do not write it.
  { version: 16, name: 'replica-versions', sql: 'alter table replicas add column version text' },
  {
    version: 17,
    name: '0014-prices',
    sql: `
      create table prices (
        from_ms bigint primary key, currency text not null, prompt_micros bigint not null,
        cached_micros bigint not null, completion_micros bigint not null);`,
  },
  {
    version: 18,
    name: '0015-budgets',
    sql: `
      create table budgets (
        account_id text primary key references accounts (id), kind text not null, amount bigint not null,
        currency text, thresholds text not null, set_ms bigint not null);
      create table budget_alerts (
        account_id text not null, month_ms bigint not null, threshold integer not null, id text not null,
        raised_ms bigint not null, primary key (account_id, month_ms, threshold));
      create table alert_settings (name text primary key, webhook_url text, webhook_secret text, mail text);
      create table alert_deliveries (
        id text primary key, alert_id text not null, channel text not null, body text not null, state text not null,
        attempts integer not null, next_ms bigint not null, result text, created_ms bigint not null,
        updated_ms bigint not null);
      create index alert_deliveries_next on alert_deliveries (next_ms) where state = 'waiting';`,
  },
  { version: 19, name: 'one-currency', sql: oneCurrency },
  { version: 20, name: 'lease-functions', sql: leaseFunctions },
  { version: 21, name: 'spent-function', sql: spentFunction },
  { version: 22, name: 'replica-functions', sql: replicaFunctions },
  {
    version: 23,
    name: '0016-two-factor-steps',
    sql: `
      create table two_factor_steps (
        two_factor_id text primary key references two_factors (id) on delete cascade, step integer not null);`,
  },
]

/** The schema that this version of the service knows. */
export const schemaVersion = baseVersion + upgrades.length

type UpgradeOptions = {
  /** All upgrades that the service knows; tests add some. */
  steps?: readonly SchemaUpgrade[]
  /** Called once if the upgrade waits for a lock of another program, such as pg_dump. */
  onBlocked?: () => void
}

/**
 * Creates or upgrades the tables. Services of earlier versions may be running, and two processes may call this at the
 * same time. If another program holds a lock on a table, tries again until the program has ended.
 * @throws StartError if the tables are too new for this version, an upgrade would break a running service, or a
 *   transfer has not copied all rows
 * @throws the driver's error
 */
export async function upgradeSchema(
  client: pg.Client,
  nowMs: number,
  { steps = upgrades, onBlocked = () => {} }: UpgradeOptions = {},
): Promise<void> {
  const endMs = performance.now() + databaseUpgradeTimeoutMs
  for (let attempt = 0; ; attempt++) {
    try {
      return await upgradeOnce(client, nowMs, steps)
    } catch (error) {
      if (codeOf(error) !== lockNotAvailable || performance.now() > endMs) throw error
    }
    if (attempt === 0) onBlocked()
    await delay(lockRetryMs)
  }
}

async function upgradeOnce(
  client: pg.Client,
  nowMs: number,
  steps: readonly SchemaUpgrade[],
): Promise<void> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [upgradeLock])
    // While this transaction waits for a table, running services wait for it behind the transaction.
    await client.query("set local lock_timeout = '1s'")
    await refuseUnfinishedTransfer(client)
    let version = await readVersion(client, baseVersion + steps.length)
    const apply = async (to: number, name: string, sql: string) => {
      await client.query(sql)
      await client.query(
        'insert into schema_migrations (version, name, applied_ms) values ($1, $2, $3)',
        [to, name, nowMs],
      )
      version = to
    }
    if (version === 0) await apply(baseVersion, 'base-tables', baseTables(changeChannel))
    for (const { version: to, name, sql, needs } of steps) {
      if (to <= version) continue
      if (needs !== undefined) await contract(client, needs)
      await apply(to, name, sql)
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/** The tables of a database beside those that this version knows. `newer`: this version can use them. */
export type SchemaState =
  | { readonly state: 'missing' }
  | { readonly state: 'older' | 'current' | 'newer'; readonly version: number }

/**
 * Reads the version of the tables.
 * @throws StartError if the tables are too new for this version, or a transfer has not copied all rows
 * @throws the driver's error
 */
export async function readSchema(client: pg.Client): Promise<SchemaState> {
  await refuseUnfinishedTransfer(client)
  const version = await readVersion(client, schemaVersion)
  if (version === 0) return { state: 'missing' }
  if (version === schemaVersion) return { state: 'current', version }
  return { state: version < schemaVersion ? 'older' : 'newer', version }
}

/**
 * Records that services must know schema version `needs`.
 * @throws StartError if a running service does not know that version
 */
async function contract(client: pg.Client, needs: number): Promise<void> {
  const { rows } = await client.query<{ address: string }>(
    `select address from replicas
      where closed = 0 and heartbeat_ms + $1::bigint > pipit_now() and coalesce(knows, $2) < $3 limit 1`,
    [runningMs, untoldVersion, needs],
  )
  const [running] = rows
  if (running !== undefined)
    throw new StartError(
      `The service at ${running.address} is of a version that is too old for the tables of this one (they need schema ` +
        `${needs}). Upgrade all services to the version before this one first, or stop them.`,
    )
  await client.query('update schema_needs set version = greatest(version, $1)', [needs])
}

/** Returns 0 for a database without our tables. */
async function readVersion(client: pg.Client, known: number): Promise<number> {
  const found = await client.query<{ table: string | null }>(
    "select to_regclass('schema_migrations')::text as table",
  )
  if ((found.rows[0]?.table ?? null) === null) return 0
  const { rows } = await client.query<{ version: number | null }>(
    'select max(version) as version from schema_migrations',
  )
  const version = rows[0]?.version ?? 0
  if (version <= known) return version
  const needed = await client.query<{ version: number }>('select version from schema_needs')
  const needs = needed.rows[0]?.version ?? version
  if (needs > known)
    throw new StartError(
      `The database was written by a newer Pipit (schema ${version}, which needs at least ${needs}; this version supports ` +
        `up to ${known}). Start that version, or restore a backup from before the upgrade.`,
    )
  return version
}
