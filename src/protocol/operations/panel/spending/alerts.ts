import {
  NewMail,
  NewWebhook,
  PanelAlerts,
  SavedWebhook,
  TestedAlerts,
} from '../../../panel/alerts.ts'
import { NoFields } from '../../../panel-keys.ts'
import { contract, json } from '../../contract.ts'

const path = '/panel/api/alerts'

/** Destinations of alerts, and the log of their deliveries. */
export const alertContracts = {
  read: contract({ method: 'GET', path, replies: json(PanelAlerts) }),
  setWebhook: contract({
    method: 'POST',
    path: `${path}/webhook`,
    body: NewWebhook,
    replies: json(SavedWebhook),
  }),
  setMail: contract({
    method: 'POST',
    path: `${path}/mail`,
    body: NewMail,
    replies: json(PanelAlerts),
  }),
  test: contract({
    method: 'POST',
    path: `${path}/test`,
    body: NoFields,
    replies: json(TestedAlerts),
  }),
}
