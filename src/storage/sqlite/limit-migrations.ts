import type { SchemaModule } from 'kysely'

type LaterLimit = { wireName: string; schemaVersion: number }

/** Adds the columns of limits that are newer than migration 0004, with one migration per schema version. */
export function limitMigrations(limits: readonly LaterLimit[]) {
  const byVersion = Map.groupBy(limits, ({ schemaVersion }) => schemaVersion)
  return [...byVersion].map(([version, added]) => ({
    version,
    name: `${String(version).padStart(4, '0')}-${added.map(({ wireName }) => wireName).join('-')}`,
    up: async (schema: SchemaModule) => {
      for (const table of ['accounts', 'api_keys'])
        for (const { wireName } of added)
          await schema.alterTable(table).addColumn(wireName, 'bigint').execute()
    },
  }))
}
