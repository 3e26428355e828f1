import { Type, type Static } from 'typebox'
import { orNull } from '../nullable.ts'

const encryptions = ['tls', 'starttls', 'none'] as const
const text = Type.String({ maxLength: 254 })
const mail = {
  host: text,
  port: Type.Integer({ description: '1 to 65535.' }),
  encryption: Type.Unsafe<(typeof encryptions)[number]>({ type: 'string', enum: [...encryptions] }),
  user: Type.String({ maxLength: 254, description: 'Empty without a login.' }),
  from: text,
  to: Type.Array(text, { maxItems: 32 }),
}
const closed = { additionalProperties: false } as const

const AlertDelivery = Type.Object({
  id: Type.String(),
  alert_id: Type.String({ description: 'The `webhook-id`, the same at every attempt.' }),
  channel: Type.Unsafe<'webhook' | 'mail'>({ type: 'string', enum: ['webhook', 'mail'] }),
  subject: Type.String(),
  state: Type.Unsafe<'waiting' | 'delivered' | 'failed'>({
    type: 'string',
    enum: ['waiting', 'delivered', 'failed'],
  }),
  attempts: Type.Integer(),
  result: orNull(Type.String({ description: 'The reply or the error of the last attempt.' })),
  next_ms: orNull(Type.Integer({ description: 'When the next attempt begins, while it waits.' })),
  created_ms: Type.Integer(),
})
export type AlertDelivery = Static<typeof AlertDelivery>

export const PanelAlerts = Type.Object({
  webhook_url: orNull(Type.String()),
  mail: orNull(Type.Object({ ...mail, has_password: Type.Boolean() })),
  deliveries: Type.Array(AlertDelivery, { description: 'Newest first.' }),
})
export type PanelAlerts = Static<typeof PanelAlerts>

export const NewWebhook = Type.Object(
  {
    url: orNull(Type.String({ maxLength: 2048, description: 'Null removes the webhook.' })),
    rotate: Type.Optional(Type.Boolean({ description: 'Creates a new secret.' })),
  },
  closed,
)
export const SavedWebhook = Type.Object({
  ...PanelAlerts.properties,
  secret: orNull(Type.String({ description: 'A new secret, which is shown only here.' })),
})

export const NewMail = Type.Object(
  {
    mail: orNull(
      Type.Object(
        {
          ...mail,
          password: Type.Optional(
            Type.String({
              maxLength: 512,
              description: 'Left out, the one of the same server, encryption and user stays.',
            }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
)

export const TestedAlerts = Type.Object({ deliveries: Type.Array(AlertDelivery) })
