import { toActor } from '../../../people/audit/audit-entries.ts'
import { alertContracts as contracts } from '../../../protocol/operations/panel/spending/alerts.ts'
import type { AlertDelivery, PanelAlerts } from '../../../protocol/panel/alerts.ts'
import { alertMail } from '../../../spending/alerts/alert-mail.ts'
import type { AlertSender } from '../../../spending/alerts/alert-sender.ts'
import type { AlertSettings } from '../../../spending/alerts/alert-settings.ts'
import { operation, type PanelOperation } from '../../operation.ts'
import { adminOnly } from '../../access/check-session.ts'

type AlertServices = { alertSettings: AlertSettings; alertSender: AlertSender; now: () => number }

/** Destinations of alerts and the log of deliveries, for administrators. */
export function panelAlertOperations(services: AlertServices): PanelOperation[] {
  const { alertSettings: settings, alertSender, now } = services
  return [
    operation(contracts.read, adminOnly)(() => readAlerts(services)),
    operation(
      contracts.setWebhook,
      adminOnly,
    )(async ({ body: { url, rotate = false }, user }) => {
      const wanted = { url: url ?? undefined, rotate }
      const secret = await settings.setWebhook(wanted, toActor(user), now())
      return { ...(await readAlerts(services)), secret: secret ?? null }
    }),
    operation(
      contracts.setMail,
      adminOnly,
    )(async ({ body: { mail }, user }) => {
      await settings.setMail(mail ?? undefined, toActor(user), now())
      return await readAlerts(services)
    }),
    operation(
      contracts.test,
      adminOnly,
    )(async () => ({ deliveries: (await alertSender.sendTest()).map(toDelivery) })),
  ]
}

/** Leaves out the webhook's secret and the mail server's password: neither leaves the service. */
async function readAlerts({ alertSettings, alertSender }: AlertServices): Promise<PanelAlerts> {
  const { webhook, mail } = await alertSettings.read()
  const deliveries = await alertSender.deliveries()
  return {
    webhook_url: webhook?.url ?? null,
    mail: mail === undefined ? null : toMail(mail),
    deliveries: deliveries.map(toDelivery),
  }
}

type Mail = NonNullable<Awaited<ReturnType<AlertSettings['read']>>['mail']>

function toMail({ host, port, encryption, user, password, from, to }: Mail): PanelAlerts['mail'] {
  return {
    host,
    port,
    encryption,
    user: user ?? '',
    from,
    to: [...to],
    has_password: password !== undefined,
  }
}

type Delivery = Awaited<ReturnType<AlertSender['deliveries']>>[number]

function toDelivery(row: Delivery): AlertDelivery {
  const { id, alert_id, channel, body, state, attempts, result, next_ms, created_ms } = row
  return {
    id,
    alert_id,
    channel,
    subject: alertMail(body).subject,
    state,
    attempts,
    result,
    next_ms: state === 'waiting' ? next_ms : null,
    created_ms,
  }
}
