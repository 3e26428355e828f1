import { Command } from 'commander'
import { type Account, editAccount, listAccounts } from '../../accounts/accounts.ts'
import { type LimitOptions, limitChanges, limitsText, withLimitOptions } from '../limit-options.ts'
import { alignColumns, timeText } from '../table.ts'
import { withDatabase } from '../with-database.ts'

/** Limits of all keys of an account together. Works beside a running service, as `keys` does. */
export function accountsCommand(getDataDir: () => string): Command {
  const accounts = new Command('accounts').description('list accounts and edit their limits')

  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print an array')
    .action((options: { json?: true }) =>
      withDatabase(getDataDir, async (database) => {
        const found = await listAccounts(database)
        console.log(options.json ? JSON.stringify(found) : accountTable(found))
      }),
    )

  withLimitOptions(accounts.command('edit'))
    .description('change what all keys of an account may do together')
    .argument('<id>', 'acct_…, as `accounts list` shows it')
    .action((id: string, options: LimitOptions) =>
      withDatabase(getDataDir, async (database) => {
        await editAccount(database, id, { limits: limitChanges(options) }, Date.now())
        console.log(`Changed ${id}.`)
      }),
    )

  return accounts
}

function accountTable(accounts: readonly Account[]): string {
  if (accounts.length === 0) return 'There are no accounts yet: the first API key brings one.'
  const rows = accounts.map(({ id, name, createdMs, limits }) => [
    id,
    name,
    timeText(createdMs),
    limitsText(limits),
  ])
  return alignColumns([['ID', 'NAME', 'CREATED', 'LIMITS'], ...rows])
}
