import { Command } from 'commander'
import { ensureDefaultAccount } from '../../accounts/accounts.ts'
import {
  type ApiKeyRecord,
  createApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../accounts/api-key-store.ts'
import { ServiceError, StartError } from '../../errors.ts'
import { type Database, openDatabase } from '../../storage/database.ts'

/** Works beside a running service, which takes over what changes here within a second. */
export function keysCommand(getDataDir: () => string): Command {
  const keys = new Command('keys').description('create, list and revoke API keys')

  keys
    .command('create')
    .description('create an API key and show it once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--json', 'print {"id","key"}')
    .action((options: { name: string; json?: true }) =>
      withDatabase(getDataDir, async (database) => {
        const account = await ensureDefaultAccount(database)
        const wanted = { accountId: account.id, name: options.name }
        const created = await createApiKey(database, wanted, Date.now())
        console.log(options.json ? JSON.stringify(created) : keyShownOnce(created))
      }),
    )

  keys
    .command('list')
    .description('list all API keys, without the keys themselves')
    .option('--json', 'print an array')
    .action((options: { json?: true }) =>
      withDatabase(getDataDir, async (database) => {
        const records = await listApiKeys(database, Date.now())
        console.log(options.json ? JSON.stringify(records) : keyTable(records))
      }),
    )

  keys
    .command('revoke')
    .description('revoke an API key; what runs under it is cut off')
    .argument('<id>', 'key_…, as `keys list` shows it')
    .action((id: string) =>
      withDatabase(getDataDir, async (database) => {
        await revokeApiKey(database, id, Date.now())
        console.log(`Revoked ${id}.`)
      }),
    )

  return keys
}

async function withDatabase(
  getDataDir: () => string,
  use: (database: Database) => Promise<void>,
): Promise<void> {
  try {
    const database = await openDatabase(getDataDir())
    try {
      await use(database)
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof StartError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

function keyShownOnce({ id, key }: { id: string; key: string }): string {
  return `${key}\n\nThis is the only time that the key is shown: keep it now. Its id is ${id}.`
}

function keyTable(records: readonly ApiKeyRecord[]): string {
  if (records.length === 0) return 'There are no API keys yet: `pipit keys create --name <name>`.'
  const rows = records.map((record) => [
    record.id,
    record.name,
    timeText(record.createdMs),
    record.lastUsedMs === undefined ? 'never' : timeText(record.lastUsedMs),
    record.state,
  ])
  return alignColumns([['ID', 'NAME', 'CREATED', 'LAST USED', 'STATE'], ...rows])
}

/** To the minute, in UTC. */
function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}Z`
}

function alignColumns(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
