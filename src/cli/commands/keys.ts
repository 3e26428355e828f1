import { Command, InvalidArgumentError } from 'commander'
import { type Account, ensureDefaultAccount, listAccounts } from '../../accounts/accounts.ts'
import { scopes } from '../../accounts/allowance.ts'
import {
  type ApiKeyChanges,
  type ApiKeyRecord,
  createApiKey,
  editApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../accounts/api-key-store.ts'
import { ServiceError } from '../../errors.ts'
import { graceMsDefault } from '../../limits.ts'
import type { Database } from '../../storage/database.ts'
import { type LimitOptions, limitChanges, limitsText, withLimitOptions } from '../limit-options.ts'
import { alignColumns, timeText } from '../table.ts'
import { withDatabase } from '../with-database.ts'

type KeyOptions = LimitOptions & {
  name?: string
  scopes?: string[]
  expires?: number | 'none'
  json?: true
}

/** Works beside a running service, which takes over what changes here within a second. */
export function keysCommand(getDataDir: () => string): Command {
  const keys = new Command('keys').description('create, list, edit, rotate and revoke API keys')

  withKeyOptions(keys.command('create'))
    .description('create an API key and show it once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--account <id>', 'acct_…, as `accounts list` shows it; without it the first one')
    .option('--json', 'print {"id","key"}')
    .action((options: KeyOptions & { name: string; account?: string }) =>
      withDatabase(getDataDir, async (database) => {
        const account = await findAccount(database, options.account)
        const { expiresMs, ...changes } = toChanges(options)
        const wanted = {
          accountId: account.id,
          ...changes,
          name: options.name,
          ...(expiresMs == null ? {} : { expiresMs }),
        }
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

  withKeyOptions(keys.command('edit'))
    .description('change what an API key may do; `none` takes a limit or the expiry away')
    .argument('<id>', 'key_…, as `keys list` shows it')
    .option('--name <name>', 'what the key is for')
    .action((id: string, options: KeyOptions) =>
      withDatabase(getDataDir, async (database) => {
        await editApiKey(database, id, toChanges(options), Date.now())
        console.log(`Changed ${id}.`)
      }),
    )

  keys
    .command('rotate')
    .description('give an API key a new secret, shown once; the one before works for a while, too')
    .argument('<id>', 'key_…, as `keys list` shows it')
    .option(
      '--grace <duration>',
      'how long the one before works, such as 90s, 30m, 24h, 7d; 0: it ends now',
      parseGrace,
      graceMsDefault,
    )
    .option('--json', 'print {"id","key"}')
    .action((id: string, options: { grace: number; json?: true }) =>
      withDatabase(getDataDir, async (database) => {
        const rotated = await rotateApiKey(database, id, options.grace, Date.now())
        console.log(options.json ? JSON.stringify(rotated) : keyShownOnce(rotated))
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

function withKeyOptions(command: Command): Command {
  return withLimitOptions(command)
    .option('--scopes <list>', `of ${scopes.join(', ')}, with commas between`, (text) =>
      text.split(',').map((name) => name.trim()),
    )
    .option('--expires <when>', 'in 90s, 30m, 24h, 30d, on 2027-01-31 (UTC), or none', parseExpiry)
}

function toChanges(options: KeyOptions): ApiKeyChanges {
  const { name, scopes: wantedScopes, expires } = options
  return {
    ...(name === undefined ? {} : { name }),
    ...(wantedScopes === undefined ? {} : { scopes: wantedScopes }),
    ...(expires === undefined ? {} : { expiresMs: expires === 'none' ? null : expires }),
    limits: limitChanges(options),
  }
}

async function findAccount(database: Database, id: string | undefined): Promise<Account> {
  if (id === undefined) return ensureDefaultAccount(database)
  const found = (await listAccounts(database)).find((account) => account.id === id)
  if (found === undefined)
    throw new ServiceError('invalid_value', `There is no account ${JSON.stringify(id)}.`)
  return found
}

function parseExpiry(text: string): number | 'none' {
  if (text === 'none') return text
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))) return Date.parse(text)
  const inMs = durationMs(text)
  if (inMs === undefined)
    throw new InvalidArgumentError(
      'Write 90s, 30m, 24h or 30d, a date such as 2027-01-31, or none.',
    )
  return Date.now() + inMs
}

function parseGrace(text: string): number {
  const graceMs = text === '0' ? 0 : durationMs(text)
  if (graceMs === undefined) throw new InvalidArgumentError('Write 0, or 90s, 30m, 24h or 7d.')
  return graceMs
}

/** At most some ten years, so that nothing overflows. */
function durationMs(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit]
  return count === undefined || unitMs === undefined ? undefined : Number(count) * unitMs
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
    record.expiresMs === undefined ? 'never' : timeText(record.expiresMs),
    record.scopes.join(','),
    limitsText(record.limits),
  ])
  const head = ['ID', 'NAME', 'CREATED', 'LAST USED', 'STATE', 'EXPIRES', 'SCOPES', 'LIMITS']
  return alignColumns([head, ...rows])
}
