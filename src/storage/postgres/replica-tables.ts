/**
 * Tables and functions that let several services (replicas) share one database. See docs/decisions/0022.
 *
 * A pool tracks what is left of one limit of one key or account; daily and monthly limits have one pool per period. A
 * lease is the part of a pool that one replica may spend. Spent plus leased never exceeds the limit, because a function
 * that grants a lease first locks the row of the pool, and only then reads the amounts.
 */
export const replicaTables = `
create table replicas (
  id text primary key, address text not null, started_ms bigint not null, heartbeat_ms bigint not null,
  closed integer not null default 0);
create table limit_pools (
  subject_id text not null, name text not null, begin_ms bigint not null, owed bigint not null default 0,
  per_minute bigint not null default 0, spent bigint not null default 0, leased bigint not null default 0,
  at_ms bigint not null, primary key (subject_id, name, begin_ms));
create table limit_leases (
  replica_id text not null, subject_id text not null, name text not null, begin_ms bigint not null,
  amount bigint not null default 0, used bigint not null default 0, nonce bigint not null default 0,
  primary key (replica_id, subject_id, name, begin_ms));
create table change_counts (id integer primary key, count bigint not null);
insert into change_counts values (1, 0);

create or replace function pipit_notify() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) - 'last_used_ms' = to_jsonb(new) - 'last_used_ms' then
    return null;
  end if;
  update change_counts set count = count + 1 where id = 1;
  notify pipit_changes;
  return null;
end $$;

-- The clock of all replicas. A test replaces it.
create function pipit_now() returns bigint language sql volatile as
  $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint $$;

-- Returns the id of a replica, and keeps others from closing it until the transaction ends. Fails for a closed one.
create function pipit_fence(p_replica text, p_expiry_ms bigint) returns text language plpgsql as $$
begin
  perform from replicas
    where id = p_replica and closed = 0 and heartbeat_ms + p_expiry_ms > pipit_now() for share;
  if not found then
    raise exception 'replica % is not registered any more', p_replica using errcode = '23F01';
  end if;
  return p_replica;
end $$;

-- Ends the leases of a replica that is closed. What a minute's lease has spent is not known, so all of it is owed.
create function pipit_end_leases(p_replica text) returns integer language plpgsql as $$
declare
  v_lease limit_leases;
  v_count integer := 0;
begin
  for v_lease in select * from limit_leases where replica_id = p_replica order by subject_id, name, begin_ms
  loop
    update limit_pools p set leased = p.leased - v_lease.amount,
        owed = case when p.name like '%PerMinute'
          then greatest(0, p.owed - greatest(0, pipit_now() - p.at_ms) * p.per_minute) + v_lease.amount * 60000
          else 0 end,
        at_ms = greatest(p.at_ms, pipit_now())
      where p.subject_id = v_lease.subject_id and p.name = v_lease.name and p.begin_ms = v_lease.begin_ms;
    v_count := v_count + 1;
  end loop;
  delete from limit_leases where replica_id = p_replica;
  return v_count;
end $$;

-- Charges what the requests that a replica left open may have used beyond what the ledger knows of them.
create function pipit_charge_orphans(p_ids json) returns integer language plpgsql as $$
declare
  v_charge record;
  v_count integer := 0;
begin
  for v_charge in
    select subject_id, span.name as name,
        case span.name when 'tokensPerDay' then created_ms - created_ms % 86400000
          else extract(epoch from date_trunc('month', to_timestamp(created_ms / 1000), 'UTC'))::bigint * 1000 end as begin_ms,
        sum(greatest(0, max_tokens - coalesce(completion_tokens, 0)))::bigint as tokens
      from usage
        cross join lateral (values (key_id), (account_id)) as subject (subject_id)
        cross join (values ('tokensPerDay'), ('tokensPerMonth')) as span (name)
      where state = 'reserved' and request_id in (select value from json_array_elements_text(p_ids))
      group by 1, 2, 3 order by 1, 2, 3
  loop
    insert into limit_pools (subject_id, name, begin_ms, spent, at_ms)
      values (v_charge.subject_id, v_charge.name, v_charge.begin_ms, v_charge.tokens, pipit_now())
      on conflict (subject_id, name, begin_ms) do update set spent = limit_pools.spent + excluded.spent;
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;`

/** Function that ages a pool. `leaseFunctions` calls it. */
export const spentFunction = `
drop function if exists pipit_spent(limit_pools, json, bigint, bigint);

-- What a pool has lost for good. A minute pays its debt off at the rate of the limit; one token is 60000 of it.
-- Longer times than a minute pay off no more, and their product with a limit could pass the range of bigint.
create function pipit_spent(p_pool limit_pools, p_item json, p_limit bigint, p_used bigint, p_now bigint)
returns limit_pools language plpgsql as $$
declare
  v_recorded bigint;
begin
  if p_item->>'window' = 'minute' then
    p_pool.owed := least(p_pool.owed, p_limit * 60000);
    p_pool.owed := greatest(0, p_pool.owed - least(60000, greatest(0, p_now - p_pool.at_ms)) * p_limit) + p_used * 60000;
    p_pool.per_minute := p_limit;
    p_pool.spent := (p_pool.owed + 59999) / 60000;
  elsif p_item->>'window' in ('day', 'month') then
    select coalesce(sum(case when p_item->>'counts' = 'tokens' then prompt_tokens + completion_tokens else requests end), 0)
      into v_recorded from usage_sums
      where account_id = p_item->>'account' and span = p_item->>'window' and begin_ms = p_pool.begin_ms
        and (key_id = p_pool.subject_id or account_id = p_pool.subject_id);
    p_pool.spent := p_pool.spent + v_recorded;
  end if;
  p_pool.at_ms := greatest(p_pool.at_ms, p_now);
  return p_pool;
end $$;`

/**
 * Later forms of `pipit_end_leases` and `pipit_notify`. Debts are capped as in `pipit_spent`, so that no product passes
 * the range of bigint. The time of the expiry clock, which each service saves, is no change that others must read.
 */
export const replicaFunctions = `
create or replace function pipit_end_leases(p_replica text) returns integer language plpgsql as $$
declare
  v_lease limit_leases;
  v_count integer := 0;
begin
  for v_lease in select * from limit_leases where replica_id = p_replica order by subject_id, name, begin_ms
  loop
    update limit_pools p set leased = p.leased - v_lease.amount,
        owed = case when p.name like '%PerMinute'
          then greatest(0, least(p.owed, p.per_minute * 60000)
            - least(60000, greatest(0, pipit_now() - p.at_ms)) * p.per_minute) + v_lease.amount * 60000
          else 0 end,
        at_ms = greatest(p.at_ms, pipit_now())
      where p.subject_id = v_lease.subject_id and p.name = v_lease.name and p.begin_ms = v_lease.begin_ms;
    v_count := v_count + 1;
  end loop;
  delete from limit_leases where replica_id = p_replica;
  return v_count;
end $$;

create or replace function pipit_notify() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) - 'last_used_ms' = to_jsonb(new) - 'last_used_ms' then
    return null;
  end if;
  -- Nested, because not all tables have the column name.
  if tg_table_name = 'service_times' and tg_op <> 'DELETE' then
    if new.name = 'expiry' then
      return null;
    end if;
  end if;
  update change_counts set count = count + 1 where id = 1;
  notify pipit_changes;
  return null;
end $$;`

/** Functions with which replicas renew their leases. */
export const leaseFunctions = `
-- Returns a limit as it is stored, or what the replica was told if none is: a replica may know an earlier limit.
create function pipit_limit(p_subject text, p_name text, p_told bigint) returns bigint language plpgsql as $$
declare
  v_limit bigint;
begin
  select case p_name
      when 'requestsPerMinute' then requests_per_minute
      when 'tokensPerMinute' then tokens_per_minute
      when 'parallelRequests' then parallel_requests
      when 'tokensPerDay' then tokens_per_day
      when 'tokensPerMonth' then tokens_per_month
    end into v_limit
    from (
      select id, requests_per_minute, tokens_per_minute, parallel_requests, tokens_per_day, tokens_per_month from api_keys
      union all
      select id, requests_per_minute, tokens_per_minute, parallel_requests, tokens_per_day, tokens_per_month from accounts
    ) as subjects where id = p_subject;
  return coalesce(v_limit, p_told);
end $$;

-- Renews the leases of a replica. Each item claims the part that stays, and may want more: at least its need, or nothing.
-- Returns what is left of each pool, and what other replicas have leased of it.
create function pipit_renew_leases(p_replica text, p_expiry_ms bigint, p_items json)
returns table (item integer, amount bigint, remaining bigint, elsewhere bigint) language plpgsql as $$
declare
  v_item json;
  v_pool limit_pools;
  v_state limit_pools;
  v_lease limit_leases;
  v_limit bigint;
  v_replicas integer;
  v_left bigint;
  v_claim bigint;
  v_need bigint;
  v_grant bigint;
begin
  perform pipit_fence(p_replica, p_expiry_ms);
  select greatest(1, count(*)) into v_replicas from replicas where closed = 0;
  for v_item in select value from json_array_elements(p_items)
    order by value->>'subject', value->>'name', (value->>'begin')::bigint
  loop
    insert into limit_pools (subject_id, name, begin_ms, at_ms)
      values (v_item->>'subject', v_item->>'name', (v_item->>'begin')::bigint, pipit_now()) on conflict do nothing;
    select * into v_pool from limit_pools where subject_id = v_item->>'subject' and name = v_item->>'name'
      and begin_ms = (v_item->>'begin')::bigint for update;
    -- It was idle and deleted just now. The next call creates it again.
    continue when not found;
    insert into limit_leases (replica_id, subject_id, name, begin_ms)
      values (p_replica, v_pool.subject_id, v_pool.name, v_pool.begin_ms) on conflict do nothing;
    select * into v_lease from limit_leases l where l.replica_id = p_replica
      and l.subject_id = v_pool.subject_id and l.name = v_pool.name and l.begin_ms = v_pool.begin_ms for update;
    -- The replica forgot the lease that it had, and began another one.
    if v_lease.nonce <> (v_item->>'nonce')::bigint then
      v_lease.used := 0;
    end if;
    -- A lease never grows by a claim, and the same use is counted once however often it is sent.
    v_claim := least(v_lease.amount, (v_item->>'claim')::bigint);
    v_limit := pipit_limit(v_pool.subject_id, v_pool.name, (v_item->>'limit')::bigint);
    v_state := pipit_spent(v_pool, v_item, v_limit, greatest(0, (v_item->>'used')::bigint - v_lease.used), pipit_now());
    v_pool.leased := v_pool.leased - v_lease.amount + v_claim;
    v_left := v_limit - v_state.spent - v_pool.leased;
    v_need := (v_item->>'need')::bigint;
    v_grant := 0;
    if v_left > 0 and v_left >= v_need then
      v_grant := least(greatest((v_item->>'want')::bigint, v_need), greatest(v_need, v_left / (2 * v_replicas)));
    end if;
    update limit_pools p set owed = v_state.owed, per_minute = v_state.per_minute, at_ms = v_state.at_ms,
        leased = v_pool.leased + v_grant
      where p.subject_id = v_pool.subject_id and p.name = v_pool.name and p.begin_ms = v_pool.begin_ms;
    if (v_item->>'forget')::boolean then
      delete from limit_leases l where l.replica_id = p_replica
        and l.subject_id = v_pool.subject_id and l.name = v_pool.name and l.begin_ms = v_pool.begin_ms;
    else
      update limit_leases l set amount = v_claim + v_grant, nonce = (v_item->>'nonce')::bigint,
          used = greatest(v_lease.used, (v_item->>'used')::bigint)
        where l.replica_id = p_replica
          and l.subject_id = v_pool.subject_id and l.name = v_pool.name and l.begin_ms = v_pool.begin_ms;
    end if;
    item := (v_item->>'item')::integer;
    amount := v_grant;
    remaining := greatest(0, v_left - v_grant);
    elsewhere := v_pool.leased - v_claim;
    return next;
  end loop;
end $$;

-- Services that know only schema 19 or earlier call this one.
create or replace function pipit_renew(p_replica text, p_expiry_ms bigint, p_items json)
returns table (item integer, amount bigint, remaining bigint) language sql as $$
  select item, amount, remaining from pipit_renew_leases(p_replica, p_expiry_ms, p_items);
$$;`
