import type { Sabotage } from './sabotage.ts'

const backUp = 'src/storage/sqlite/back-up.ts'
const backupTest = 'test/faults/data/backup.test.ts'
const upgradeTest = 'test/faults/data/upgrade.test.ts'

export const backupSabotages: readonly Sabotage[] = [
  {
    id: 'F46',
    breaks: 'A backup copies the file of the database without its journal.',
    file: backUp,
    find: "db.prepare('vacuum into ?').run(target)",
    replace: "process.getBuiltinModule('node:fs').copyFileSync(join(dataDir, 'pipit.db'), target)",
    test: { file: backupTest, title: 'a backup under load is one moment of the ledger' },
  },
  {
    id: 'F46',
    breaks: 'A backup replaces an earlier one.',
    file: backUp,
    find: 'if (existsSync(target))',
    replace: "if (target === '')",
    test: { file: backupTest, title: 'a backup never replaces a file' },
  },
  {
    id: 'F48',
    breaks: 'An upgrade leaves out the last migration.',
    file: 'src/storage/sqlite/migrate.ts',
    find: 'if (migration.version > version) await apply',
    replace: 'if (migration.version > version && migration.version < schemaVersion) await apply',
    test: { file: upgradeTest, title: 'a database of each earlier version' },
  },
  {
    id: 'F48',
    breaks: 'A program uses a database of a newer version.',
    file: 'src/storage/sqlite/migrate.ts',
    find: 'if (version > schemaVersion)',
    replace: 'if (version > schemaVersion + 100)',
    test: { file: upgradeTest, title: 'a database of a newer version is refused' },
  },
]
