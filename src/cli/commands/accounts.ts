import { Command, Option } from 'commander'
import { ensureDefaultAccount, findAccount } from '../../accounts/accounts.ts'
import { type ListedAccount, listAccountsWithUsers } from '../../people/account-list.ts'
import { editAccount } from '../../people/edit-account.ts'
import { hasUsers } from '../../people/one-time-links.ts'
import { createResetLink, type Link } from '../../people/panel-accounts.ts'
import {
  createUser,
  findUserByEmail,
  findUserOfAccount,
  removeTwoFactor,
  type Role,
  roles,
} from '../../people/users.ts'
import { loadPublicUrl } from '../../config.ts'
import { ServiceError } from '../../errors.ts'
import { apiKeysMax } from '../../limits.ts'
import { commandLineActor } from '../../storage/audit/audit-log.ts'
import { commandLine } from '../../paths.ts'
import type { Database } from '../../storage/database.ts'
import { UsageReport } from '../../usage/usage-report.ts'
import { examples } from '../examples.ts'
import { type LimitOptions, limitChanges, limitsText, withLimitOptions } from '../limit-options.ts'
import { printOnce } from '../output.ts'
import { alignColumns, timeText } from '../table.ts'
import { changeDatabase, withDatabase } from '../with-database.ts'

const accountArgument = [
  '<account>',
  'account id (acct_…, see `accounts list`) or e-mail address of its user',
] as const

/** The `accounts` commands. They return once a running service has applied their changes. */
export function accountsCommand(): Command {
  const accounts = new Command('accounts').description(
    'create, list, edit and disable accounts, and reset passwords',
  )
  accounts
    .summary('create, list, edit and disable accounts')
    .addHelpText(
      'after',
      examples('accounts create --email ada@example.com', 'accounts disable ada@example.com'),
    )

  addCreateCommand(accounts)

  accounts
    .command('list')
    .description('list all accounts')
    .option('--json', 'print a JSON array')
    .action((options: { json?: true }) =>
      withDatabase(async (database) => {
        const found = (await listAccountsWithUsers(database, { limit: apiKeysMax })) ?? []
        console.log(options.json ? await accountsJson(database, found) : accountTable(found))
      }),
    )

  withLimitOptions(accounts.command('edit'))
    .description('change the limits that all keys of an account share')
    .argument(...accountArgument)
    .action((account: string, options: LimitOptions) =>
      changeDatabase(async (database) => {
        const id = await findId(database, account)
        await editAccount(
          database,
          id,
          { limits: limitChanges(options) },
          Date.now(),
          commandLineActor,
        )
        console.log(`Changed ${id}.`)
      }),
    )

  for (const [name, disabled, description] of [
    ['disable', true, 'end the sessions of an account and reject its keys'],
    ['enable', false, 'enable a disabled account'],
  ] as const)
    accounts
      .command(name)
      .description(description)
      .argument(...accountArgument)
      .action((account: string) =>
        changeDatabase(async (database) => {
          const id = await findId(database, account)
          await editAccount(database, id, { disabled }, Date.now(), commandLineActor)
          console.log(`Account ${id} ${name}d.`)
        }),
      )

  accounts
    .command('reset-password')
    .description('print a one-time link to choose a new password')
    .argument(...accountArgument)
    .option('--remove-two-factor', 'turn off two-factor sign-in and remove passkeys')
    .action((account: string, options: { removeTwoFactor?: true }) =>
      withDatabase((database) =>
        resetPassword(database, account, options.removeTwoFactor ?? false),
      ),
    )

  return accounts
}

function addCreateCommand(accounts: Command): void {
  accounts
    .command('create')
    .description('create an account and print a link to choose its password')
    .requiredOption('--email <address>', 'e-mail address of the user')
    .option('--name <name>', 'name of the user (default: the part of the address before the @)')
    .addOption(
      new Option(
        '--role <role>',
        'role of the user (default: admin for the first user, member for others)',
      ).choices(roles),
    )
    .action((options: NewAccountOptions) => withDatabase((database) => create(database, options)))
}

type NewAccountOptions = { email: string; name?: string; role?: Role }

async function create(database: Database, wanted: NewAccountOptions): Promise<void> {
  const nowMs = Date.now()
  const isFirst = !(await hasUsers(database))
  const user = await createUser(
    database,
    {
      email: wanted.email,
      name: wanted.name ?? wanted.email.split('@')[0] ?? '',
      role: wanted.role ?? (isFirst ? 'admin' : 'member'),
      passwordHash: undefined,
      by: commandLineActor,
      // The first user gets the default account and its keys, as a user who opens the set-up link does.
      ...(isFirst ? { accountId: (await ensureDefaultAccount(database)).id } : {}),
    },
    nowMs,
  )
  console.log(`Created ${user.accountId} for ${wanted.email}.`)
  await printResetLink(database, user.id, nowMs)
}

async function resetPassword(
  database: Database,
  account: string,
  withoutTwoFactor: boolean,
): Promise<void> {
  const id = await findId(database, account)
  const user = await findUserOfAccount(database, id)
  if (user === undefined)
    throw new ServiceError('invalid_value', `The account ${id} has no user, only API keys.`)
  if (withoutTwoFactor) await removeTwoFactor(database, user, commandLineActor, Date.now())
  await printResetLink(database, user.id, Date.now())
}

async function printResetLink(database: Database, userId: string, nowMs: number): Promise<void> {
  const url = loadPublicUrl(process.env)
  printLink(await createResetLink(database, userId, url, nowMs, commandLineActor))
}

function printLink({ url, expiresMs }: Link): void {
  printOnce(
    `Send this link to the user privately. It sets the password, works once and expires at ${timeText(expiresMs)}:\n\n  ${url}\n`,
    `The link is lost: get another with \`${commandLine} accounts reset-password\`.`,
  )
}

/** @throws ServiceError not_found */
async function findId(database: Database, account: string): Promise<string> {
  const found = account.includes('@')
    ? (await findUserByEmail(database, account))?.account
    : await findAccount(database, account)
  if (found !== undefined) return found.id
  throw new ServiceError('not_found', `There is no account ${JSON.stringify(account)}.`)
}

async function accountsJson(
  database: Database,
  accounts: readonly ListedAccount[],
): Promise<string> {
  const ids = accounts.map(({ id }) => id)
  const uses = await new UsageReport(database).monthOfAccounts(ids, Date.now())
  const noUse = { requests: 0, promptTokens: 0, completionTokens: 0 }
  return JSON.stringify(accounts.map((each) => ({ ...each, use: uses.get(each.id) ?? noUse })))
}

function accountTable(accounts: readonly ListedAccount[]): string {
  if (accounts.length === 0) return 'No accounts yet. Creating an API key creates one.'
  const rows = accounts.map(({ id, name, email, role, disabled, createdMs, limits }) => [
    id,
    name,
    email ?? '-',
    disabled ? 'disabled' : (role ?? '-'),
    timeText(createdMs),
    limitsText(limits),
  ])
  return alignColumns([['ID', 'NAME', 'E-MAIL', 'ROLE', 'CREATED', 'LIMITS'], ...rows])
}
