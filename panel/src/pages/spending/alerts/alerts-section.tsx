import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AlertDelivery } from '../../../../../src/protocol/panel/alerts.ts'
import { FormError } from '../../../components/form-error.tsx'
import { Section } from '../../../components/page/section.tsx'
import { ErrorState, Loading } from '../../../components/page/states.tsx'
import { FormDetails } from '../form-details.tsx'
import { alertsQuery, useSendTest } from './alerts-api.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { MailForm } from './mail-form.tsx'
import { WebhookForm } from './webhook-form.tsx'

/** The channels for alerts and the log of their deliveries. */
export function AlertsSections() {
  const { data, error, refetch } = useQuery(alertsQuery)
  if (data === undefined)
    return (
      <Section title="Alerts">
        {error === null ? (
          <Loading rows={3} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </Section>
    )
  const hasChannel = data.webhook_url !== null || data.mail !== null
  return (
    <>
      <Section
        title="Webhook"
        description="Alerts are sent here as JSON, signed according to Standard Webhooks. Private addresses are allowed."
      >
        <WebhookForm url={data.webhook_url} />
      </Section>
      <Section title="E-mail" description="Alerts are sent over your mail server (SMTP).">
        {data.mail !== null && (
          <Text size="sm">
            Sent to {data.mail.to.join(', ')} over {data.mail.host}:{data.mail.port}.
          </Text>
        )}
        <FormDetails summary="Mail server" isOpen={false}>
          <MailForm mail={data.mail} />
        </FormDetails>
      </Section>
      <Section
        title="Deliveries"
        description="A failed delivery is retried up to six times. The newest 500 deliveries are kept."
      >
        {hasChannel && <TestAlert />}
        <DeliveryLog deliveries={data.deliveries} />
      </Section>
    </>
  )
}

function TestAlert() {
  const send = useSendTest()
  return (
    <>
      <Group gap="sm">
        <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
          Send a test alert
        </Button>
      </Group>
      <div role="status">
        {send.data?.deliveries.map((delivery) => (
          <Text key={delivery.id} size="sm">
            {resultText(delivery)}
          </Text>
        ))}
      </div>
      <FormError error={send.error} />
    </>
  )
}

function resultText({ channel, state, result }: AlertDelivery): string {
  const name = channel === 'webhook' ? 'Webhook' : 'E-mail'
  const outcome = state === 'delivered' ? 'delivered' : 'not delivered'
  return result === null ? `${name} ${outcome}.` : `${name} ${outcome}: ${result}`
}
