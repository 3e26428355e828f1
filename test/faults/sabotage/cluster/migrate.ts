import type { Sabotage } from '../sabotage.ts'

const file = 'test/storage/postgres/migrate.test.ts'

export const migrateSabotages: readonly Sabotage[] = [
  {
    id: 'F48',
    breaks: 'A migration to PostgreSQL does not compare the rows of both databases.',
    file: 'src/storage/transfer/transfer.ts',
    find: 'if (isDeepStrictEqual(copied, tables[name])) continue',
    replace: 'if (copied !== undefined) continue',
    test: { file, title: 'a source that changed after an interrupted run' },
  },
  {
    id: 'F48',
    breaks: 'A migration that was killed leaves out the row after its last transaction.',
    file: 'src/storage/transfer/transfer.ts',
    find: 'let after = table.name === position?.table ? position.after : undefined',
    replace:
      'let after = table.name === position?.table ? keyOf(table, columns, source.read(table, columns.get(table.name) ?? [], position.after, 1).at(-1)) ?? position.after : undefined',
    test: { file, title: 'a migration goes on after kill -9' },
  },
  {
    id: 'F48',
    breaks: 'A service starts on a database to which not all rows were copied.',
    file: 'src/storage/postgres/unfinished-transfer.ts',
    find: 'if (rows.length > 0)',
    replace: 'if (rows.length > 1)',
    test: { file, title: 'a migration goes on after kill -9' },
  },
]
