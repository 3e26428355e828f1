import { randomUUID } from 'node:crypto'
import { ServiceError } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import type { AlertDeliveryRow } from '../../storage/tables.ts'
import type { Logger } from '../../telemetry/logger.ts'
import {
  addDelivery,
  type Attempt,
  claimDelivery,
  findDue,
  listDeliveries,
  settleDelivery,
  trimDeliveries,
} from './alert-deliveries.ts'
import { deliveriesListed, deliveriesPerCheck, deliveryCheckMs } from './alert-limits.ts'
import { alertMail } from './alert-mail.ts'
import type { AlertSettings } from './alert-settings.ts'
import { sendMail } from './mail.ts'
import { postWebhook } from './webhook.ts'

type Channel = AlertDeliveryRow['channel']
const allChannels: readonly Channel[] = ['webhook', 'mail']

type SenderOptions = { settings: AlertSettings; logger: Logger; now?: () => number }

/**
 * Sends the deliveries stored in the database, so alerts survive a restart. If a service dies after sending and before
 * it records the result, the delivery is sent again with the same id.
 */
export class AlertSender {
  readonly #database: Database
  readonly #options: Required<SenderOptions>
  #timer: NodeJS.Timeout | undefined
  /** Each channel has its own loop, so that a slow webhook does not delay e-mails. */
  readonly #loops: Record<Channel, { running?: Promise<void> | undefined; isWanted: boolean }> = {
    webhook: { isWanted: false },
    mail: { isWanted: false },
  }
  readonly #closing = new AbortController()

  constructor(database: Database, options: SenderOptions) {
    this.#database = database
    this.#options = { now: Date.now, ...options }
  }

  /** Checks for due deliveries now and every ten seconds until `close`. */
  start(): void {
    this.#timer = setInterval(() => this.wake(), deliveryCheckMs)
    this.#timer.unref()
    this.wake()
  }

  /** Sends what is due, in the background. */
  wake(): void {
    this.sendDue().catch((error: unknown) =>
      this.#options.logger.warn('alerts could not be sent', { error }),
    )
  }

  /**
   * Sends what is due. A call during a run makes the run check once more.
   * @throws ServiceError ledger_unavailable
   */
  async sendDue(): Promise<void> {
    const runs = allChannels.map((channel) => {
      const loop = this.#loops[channel]
      loop.isWanted = true
      loop.running ??= this.#sendWanted(channel).finally(() => (loop.running = undefined))
      return loop.running
    })
    await Promise.all(runs)
  }

  /**
   * Sends a test alert over every channel, once.
   * @returns its deliveries with their results
   * @throws ServiceError invalid_value if no channel is set, ledger_unavailable
   */
  async sendTest(): Promise<AlertDeliveryRow[]> {
    const nowMs = this.#options.now()
    const alertId = `msg_${randomUUID().replaceAll('-', '')}`
    const timestamp = new Date(nowMs).toISOString()
    const body = JSON.stringify({ type: 'alert.test', timestamp, data: {} })
    const channels = await this.#options.settings.channels()
    if (channels.length === 0)
      throw new ServiceError('invalid_value', 'Set a webhook or a mail server first.')
    await this.#database.write([
      ...channels.map((channel) => addDelivery({ alertId, channel, body }, nowMs)),
      trimDeliveries(),
    ])
    const added = await findDue(this.#database, nowMs, { alert_id: alertId })
    await Promise.all(added.map((delivery) => this.#attempt(delivery)))
    return await listDeliveries(this.#database, channels.length, alertId)
  }

  /** Returns the newest deliveries. */
  deliveries(): Promise<AlertDeliveryRow[]> {
    return listDeliveries(this.#database, deliveriesListed)
  }

  /** Aborts the running attempts and resolves once they have ended. The next start repeats them. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    for (const channel of allChannels) await this.#loops[channel].running?.catch(() => {})
  }

  async #sendWanted(channel: Channel): Promise<void> {
    const loop = this.#loops[channel]
    while (loop.isWanted && !this.#closing.signal.aborted) {
      loop.isWanted = false
      const due = await findDue(this.#database, this.#options.now(), { channel })
      if (due.length === deliveriesPerCheck) loop.isWanted = true
      for (const delivery of due) {
        if (this.#closing.signal.aborted) return
        await this.#attempt(delivery)
      }
    }
  }

  async #attempt(delivery: AlertDeliveryRow): Promise<void> {
    const { now, logger } = this.#options
    if (!(await claimDelivery(this.#database, delivery, now()))) return
    const attempt = await this.#send(delivery)
    if (this.#closing.signal.aborted && !attempt.delivered) return
    await settleDelivery(this.#database, delivery, attempt, now())
    if (attempt.delivered) return
    const reason = `${delivery.channel}: ${attempt.result}`
    logger.warn('an alert could not be delivered', { reason })
  }

  async #send({ channel, alert_id: id, body }: AlertDeliveryRow): Promise<Attempt> {
    const { settings, now } = this.#options
    const { webhook, mail } = await settings.read()
    const isTest = body.startsWith('{"type":"alert.test"')
    const attempt = await this.#sendOver(channel, { webhook, mail }, { id, body, nowMs: now() })
    // A failed test is not retried: the admin sees the result and can send another one.
    return isTest ? { ...attempt, isFinal: true } : attempt
  }

  async #sendOver(
    channel: Channel,
    { webhook, mail }: Awaited<ReturnType<AlertSettings['read']>>,
    { id, body, nowMs }: { id: string; body: string; nowMs: number },
  ): Promise<Attempt> {
    const { signal } = this.#closing
    switch (channel) {
      case 'webhook':
        return webhook === undefined
          ? removed
          : postWebhook({ ...webhook, id, body }, nowMs, signal)
      case 'mail':
        return mail === undefined ? removed : sendMail(mail, { id, ...alertMail(body) }, signal)
    }
  }
}

const removed: Attempt = { delivered: false, result: 'Removed from the settings', isFinal: true }
