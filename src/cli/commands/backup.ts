import { Command } from 'commander'
import { loadDatabaseUrl, loadDataDir } from '../../config.ts'
import { StartError } from '../../errors.ts'
import { backUp } from '../../storage/sqlite/back-up.ts'
import { examples } from '../examples.ts'
import { fromUserFolder } from '../user-folder.ts'

/** The `backup` command, which copies the database even while the service runs. */
export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'write a copy of the database to a new file, while the service may run;\nto restore it, see docs/backup.md',
    )
    .summary('copy the database to a file')
    .argument('<file>', 'the file to create')
    .addHelpText('after', examples('backup /backups/pipit-2026-11-23.db'))
    .action((file: string) => {
      if (loadDatabaseUrl(process.env) !== undefined)
        throw new StartError('PIPIT_DATABASE_URL is set. Back up PostgreSQL with pg_dump.')
      const target = fromUserFolder(file)
      backUp(loadDataDir(process.env), target)
      console.log(`Wrote ${target}. Keep a copy of panel.secret in another place.`)
    })
}
