import type pg from 'pg'
import { transferredTables } from '../transfer/transferred-tables.ts'

export type PostgresPrivileges = {
  readonly mayCreateTables: boolean
  /** Owners of tables or functions that the user may not change, as an upgrade does. */
  readonly otherOwners: readonly string[]
  /** Tables that the service writes and the user may not. */
  readonly unwritable: readonly string[]
}

const schemaTables = ['schema_migrations', 'schema_needs']
const writtenTables = [
  ...transferredTables.map(({ name }) => name),
  'replicas',
  'limit_pools',
  'limit_leases',
  'change_counts',
]

/** @throws the driver's error */
export async function readPrivileges(client: pg.Client): Promise<PostgresPrivileges> {
  const { rows } = await client.query<PostgresPrivileges>(
    `with space as (select oid from pg_namespace where nspname = current_schema()),
      tables as (select c.* from pg_class c join space on c.relnamespace = space.oid where c.relname = any ($1)),
      owners as (
        select relowner as owner from tables
        union select p.proowner from pg_proc p join space on p.pronamespace = space.oid
          where starts_with(p.proname, 'pipit_'))
    select coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreateTables",
      array (select pg_get_userbyid(owner)::text from owners
        where not pg_has_role(owner, 'usage') order by 1) as "otherOwners",
      array (select relname::text from tables
        where relname = any ($2) and not (has_table_privilege(oid, 'insert')
          and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete')) order by 1) as unwritable`,
    [[...writtenTables, ...schemaTables], writtenTables],
  )
  const [privileges] = rows
  return privileges ?? { mayCreateTables: false, otherOwners: [], unwritable: [] }
}
