import { Command, InvalidArgumentError, Option } from 'commander'
import { type Account, ensureDefaultAccount, listAccounts } from '../../accounts/accounts.ts'
import { scopes } from '../../accounts/scopes.ts'
import {
  type ApiKeyChanges,
  type ApiKeyRecord,
  createApiKey,
  editApiKey,
  type IssuedKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../accounts/api-key-store.ts'
import { ServiceError } from '../../errors.ts'
import { rotationGraceMsDefault, rotationGraceMsMax } from '../../limits.ts'
import { commandLineActor } from '../../storage/audit/audit-log.ts'
import type { Database } from '../../storage/database.ts'
import { commandLine } from '../../paths.ts'
import { examples } from '../examples.ts'
import { printOnce } from '../output.ts'
import { type LimitOptions, limitChanges, limitsText, withLimitOptions } from '../limit-options.ts'
import { alignColumns, timeText } from '../table.ts'
import { changeDatabase, withDatabase } from '../with-database.ts'

type KeyOptions = LimitOptions & {
  name?: string
  scopes?: string[]
  expires?: number | 'none'
  json?: true
}

/** The `keys` commands. They return once a running service has applied their changes. */
export function keysCommand(): Command {
  return new Command('keys')
    .description('create, list, edit, rotate and revoke API keys')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(editCommand())
    .addCommand(rotateCommand())
    .addCommand(revokeCommand())
    .addHelpText(
      'after',
      examples(
        'keys create --name laptop',
        'keys list',
        'keys revoke key_0123456789abcdef01234567',
      ),
    )
}

const idArgument = ['<id>', 'key id (key_…, see `keys list`)'] as const

function createCommand(): Command {
  return withKeyOptions(new Command('create'))
    .description('create an API key and show it once')
    .requiredOption('--name <name>', 'name of the key')
    .option('--account <id>', 'account id (default: the first account)')
    .option('--json', 'print {"id", "key"} as JSON')
    .action((options: KeyOptions & { name: string; account?: string }) =>
      changeDatabase(async (database) => {
        const account = await findAccount(database, options.account)
        const { expiresMs, ...changes } = toChanges(options)
        const wanted = {
          accountId: account.id,
          ...changes,
          name: options.name,
          ...(expiresMs == null ? {} : { expiresMs }),
        }
        printIssued(await createApiKey(database, wanted, Date.now(), commandLineActor), options)
      }),
    )
    .addHelpText('after', examples('keys create --name app --expires 90d'))
}

function listCommand(): Command {
  return new Command('list')
    .description('list all API keys, without their text')
    .option('--json', 'print a JSON array')
    .action((options: { json?: true }) =>
      withDatabase(async (database) => {
        const records = await listApiKeys(database, Date.now())
        console.log(options.json ? JSON.stringify(records) : keyTable(records))
      }),
    )
}

function editCommand(): Command {
  return withKeyOptions(new Command('edit'))
    .description('change the name, scopes, expiry or limits of an API key')
    .argument(...idArgument)
    .option('--name <name>', 'name of the key')
    .action((id: string, options: KeyOptions) =>
      changeDatabase(async (database) => {
        await editApiKey(database, id, toChanges(options), Date.now(), commandLineActor)
        console.log(`Changed ${id}.`)
      }),
    )
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('replace an API key; the old key keeps working for a grace period')
    .argument(...idArgument)
    .addOption(
      new Option(
        '--grace <duration>',
        'grace period of the old key, such as 90s, 30m, 24h or 7d; 0 expires it immediately',
      )
        .argParser(parseGrace)
        .default(rotationGraceMsDefault, `${rotationGraceMsDefault / 3_600_000}h`),
    )
    .option('--json', 'print {"id", "key"} as JSON')
    .action((id: string, options: { grace: number; json?: true }) =>
      changeDatabase(async (database) => {
        printIssued(
          await rotateApiKey(database, id, options.grace, Date.now(), commandLineActor),
          options,
        )
      }),
    )
}

function revokeCommand(): Command {
  return new Command('revoke')
    .description('revoke an API key and cut off its running requests')
    .argument(...idArgument)
    .action((id: string) =>
      changeDatabase(async (database) => {
        await revokeApiKey(database, id, Date.now(), commandLineActor)
        console.log(`Revoked ${id}.`)
      }),
    )
}

function withKeyOptions(command: Command): Command {
  return withLimitOptions(command)
    .option('--scopes <list>', `comma-separated scopes: ${scopes.join(', ')}`, (text) =>
      text.split(',').map((name) => name.trim()),
    )
    .option('--expires <when>', '30d (or s, m, h), 2027-01-31 (UTC), or "none"', parseExpiry)
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
  const dayMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  // Date.parse reads the 31st of February as the 3rd of March.
  if (!Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(text)) return dayMs
  const inMs = durationMs(text)
  if (inMs === undefined)
    throw new InvalidArgumentError(
      'Enter a duration such as 90s, 30m, 24h or 30d, a date such as 2027-01-31, or "none".',
    )
  return Date.now() + inMs
}

function parseGrace(text: string): number {
  const graceMs = text === '0' ? 0 : durationMs(text)
  if (graceMs === undefined || graceMs > rotationGraceMsMax)
    throw new InvalidArgumentError(
      'Enter 0 or a duration such as 90s, 30m, 24h or 7d, at most 30d.',
    )
  return graceMs
}

/** Parses a duration such as `30d`; returns undefined for other texts. The longest, 999,999 days, cannot overflow. */
function durationMs(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit]
  return count === undefined || unitMs === undefined ? undefined : Number(count) * unitMs
}

function printIssued({ id, key }: IssuedKey, { json }: { json?: true }): void {
  const text = json
    ? JSON.stringify({ id, key })
    : `${key}\n\nCopy the key now: it is not shown again. Its id is ${id}.`
  printOnce(text, `The new key ${id} is lost: rotate or revoke it.`)
}

function keyTable(records: readonly ApiKeyRecord[]): string {
  if (records.length === 0)
    return `No API keys yet. Create one with: ${commandLine} keys create --name NAME`
  const rows = records.map((record) => [
    record.id,
    record.name,
    record.hint ?? '',
    timeText(record.createdMs),
    record.lastUsedMs === undefined ? 'never' : timeText(record.lastUsedMs),
    record.state,
    record.expiresMs === undefined ? 'never' : timeText(record.expiresMs),
    record.scopes.join(','),
    limitsText(record.limits),
  ])
  const head = ['ID', 'NAME', 'KEY', 'CREATED', 'LAST USED', 'STATE', 'EXPIRES', 'SCOPES', 'LIMITS']
  return alignColumns([head, ...rows])
}
