import { ServiceError } from '../../errors.ts'
import { type Actor, differences, recordAudit } from '../../storage/audit/audit-log.ts'
import type { Database } from '../../storage/database.ts'
import { queries, toStatement } from '../../storage/statement.ts'
import type { Channel } from './alert-deliveries.ts'
import { recipientsMax } from './alert-limits.ts'
import type { MailSettings } from './mail.ts'
import { newWebhookSecret } from './webhook.ts'

type Settings = {
  webhook: { url: string; secret: string } | undefined
  mail: MailSettings | undefined
}

/**
 * Mail settings as an admin enters them. Without a password, the stored one stays if the server, the encryption and the
 * user are the same.
 */
type WantedMail = Omit<MailSettings, 'password' | 'user'> & {
  user: string
  password?: string | undefined
}

/** Destinations of alerts; there are none at first. Admins choose the addresses, so private ones are allowed. */
export class AlertSettings {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** @throws ServiceError ledger_unavailable */
  async read(): Promise<Settings> {
    const [row] = await this.#database.read(queries.selectFrom('alert_settings').selectAll())
    const { webhook_url: url = null, webhook_secret: secret = null, mail = null } = row ?? {}
    return {
      webhook: url === null || secret === null ? undefined : { url, secret },
      // Only this class writes the column.
      mail: mail === null ? undefined : (JSON.parse(mail) as MailSettings),
    }
  }

  /** @throws ServiceError ledger_unavailable */
  async channels(): Promise<Channel[]> {
    const { webhook, mail } = await this.read()
    return [
      ...(webhook === undefined ? [] : (['webhook'] as const)),
      ...(mail === undefined ? [] : (['mail'] as const)),
    ]
  }

  /**
   * Sets or removes the webhook.
   * @returns the secret if it is new. It is never shown again
   * @throws ServiceError invalid_value, ledger_unavailable
   */
  async setWebhook(
    { url, rotate }: { url: string | undefined; rotate: boolean },
    by: Actor,
    nowMs: number,
  ): Promise<string | undefined> {
    const { webhook } = await this.read()
    const parsed = url === undefined ? undefined : parseUrl(url)
    const isNew = parsed !== undefined && (webhook === undefined || rotate)
    const secret = isNew ? newWebhookSecret() : webhook?.secret
    await this.#write(
      {
        webhook_url: parsed ?? null,
        webhook_secret: parsed === undefined ? null : (secret ?? null),
      },
      {
        by,
        ...differences(
          { webhook: shownUrl(webhook?.url), new_secret: null },
          { webhook: shownUrl(parsed), new_secret: isNew ? true : null },
        ),
      },
      nowMs,
    )
    return isNew ? secret : undefined
  }

  /**
   * Sets or removes the mail server and the recipients.
   * @throws ServiceError invalid_value, ledger_unavailable
   */
  async setMail(wanted: WantedMail | undefined, by: Actor, nowMs: number): Promise<void> {
    const { mail: before } = await this.read()
    const mail = wanted === undefined ? undefined : parseMail(wanted, before)
    const audit = { by, ...differences(mailFacts(before), mailFacts(mail)) }
    await this.#write({ mail: mail === undefined ? null : JSON.stringify(mail) }, audit, nowMs)
  }

  async #write(
    columns:
      | { webhook_url: string | null; webhook_secret: string | null }
      | { mail: string | null },
    audit: Pick<Parameters<typeof recordAudit>[0], 'by' | 'before' | 'after'>,
    nowMs: number,
  ): Promise<void> {
    const none = { webhook_url: null, webhook_secret: null, mail: null }
    const target = { id: 'alerts', name: '' }
    await this.#database.write([
      toStatement(
        queries
          .insertInto('alert_settings')
          .values({ name: 'alerts', ...none, ...columns })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(columns)),
      ),
      ...recordAudit({ action: 'alerts.edit', accountId: null, target, ...audit }, nowMs),
    ])
  }
}

function parseUrl(text: string): string {
  const url = URL.parse(text.trim())
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url.href
  throw invalid('url', 'Enter an http or https URL without user and password.')
}

/** Returns what the audit log shows of a URL: only the origin, because path and query often hold a secret. */
function shownUrl(url: string | undefined): string | null {
  return url === undefined ? null : new URL(url).origin
}

function parseMail(wanted: WantedMail, before: MailSettings | undefined): MailSettings {
  const { host, port, encryption, from } = wanted
  if (!/^[\w.:-]{1,253}$/.test(host))
    throw invalid('host', 'Enter the name or address of the mail server.')
  if (port < 1 || port > 65_535) throw invalid('port', 'Enter a port from 1 to 65535.')
  const user = wanted.user === '' ? undefined : wanted.user
  const isSame = before?.host === host && before.port === port && before.user === user
  // A stored password is only used for the server, the encryption and the user for which it was entered.
  const kept = isSame && before.encryption === encryption ? before.password : undefined
  const password = user === undefined ? undefined : (wanted.password ?? kept)
  if (user !== undefined && password === undefined)
    throw invalid('password', 'Enter the password of this user.')
  if (user !== undefined && encryption === 'none')
    throw invalid('encryption', 'Use TLS or STARTTLS: without it, the password would be readable.')
  const to = [...new Set(wanted.to)]
  if (!isAddress(from)) throw invalid('from', 'Enter an e-mail address.')
  if (to.length < 1 || to.length > recipientsMax || !to.every(isAddress))
    throw invalid('to', `Enter 1 to ${recipientsMax} e-mail addresses.`)
  return { host, port, encryption, user, password, from, to }
}

function isAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(text)
}

function mailFacts(mail: MailSettings | undefined) {
  if (mail === undefined)
    return { mail_server: null, mail_user: null, mail_from: null, mail_to: null }
  return {
    mail_server: `${mail.host}:${mail.port} (${mail.encryption})`,
    mail_user: mail.user ?? null,
    mail_from: mail.from,
    mail_to: mail.to.join(' '),
  }
}

function invalid(param: string, message: string): ServiceError {
  return new ServiceError('invalid_value', message, { param })
}
