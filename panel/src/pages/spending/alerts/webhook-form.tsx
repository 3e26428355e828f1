import { Button, Group, Stack, TextInput } from '@mantine/core'
import { lazy, Suspense, useRef, useState } from 'react'
import { ConfirmButton } from '../../../components/dialog/confirm-button.tsx'
import { useStay } from '../../../components/dialog/use-stay.ts'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { submitTo, textOf, useFocusOnError, useRemovals } from '../../../form.ts'
import { useSetWebhook } from './alerts-api.ts'

const loadNewSecret = async () => ({
  default: (await import('./new-webhook-secret.tsx')).NewWebhookSecret,
})
const NewSecret = lazy(loadNewSecret)

/** Only the service checks the form. */
const noFaults = {}

/** Sets the URL of the webhook, and shows a new secret once. */
export function WebhookForm({ url }: { url: string | null }) {
  const set = useSetWebhook(loadNewSecret)
  const form = useRef<HTMLFormElement>(null)
  useFocusOnError(form, noFaults, set.error)
  const removals = useRemovals(url !== null)
  const [secret, setSecret] = useState<string | null>(null)
  const save = (body: Parameters<typeof set.mutate>[0]) =>
    set.mutate(body, { onSuccess: (saved) => setSecret(saved.secret) })
  useStay(set.isPending)
  return (
    <>
      <form
        ref={form}
        onSubmit={submitTo((typed) => save({ url: textOf(typed, 'url') }))}
        noValidate
      >
        <Stack gap="md">
          <TextInput
            key={removals}
            type="url"
            label="URL"
            name="url"
            autoComplete="off"
            placeholder="https://example.com/alerts"
            defaultValue={url ?? ''}
            error={faultOf(set.error, 'url')}
          />
          <FormError error={set.error} fields={['url']} />
          <Group gap="sm">
            <Button type="submit" variant="default" loading={set.isPending}>
              Save webhook
            </Button>
            {url !== null && (
              <>
                <ConfirmButton
                  label="Rotate secret"
                  fullLabel="Rotate secret of the webhook"
                  confirmLabel="Rotate secret"
                  isPending={set.isPending}
                  onConfirm={() => save({ url, rotate: true })}
                />
                <ConfirmButton
                  label="Remove"
                  fullLabel="Remove the webhook"
                  confirmLabel="Remove webhook"
                  isPending={set.isPending}
                  onConfirm={() => save({ url: null })}
                />
              </>
            )}
            <span role="status">
              {set.isSuccess && (set.variables.url === null ? 'Removed.' : 'Saved.')}
            </span>
          </Group>
        </Stack>
      </form>
      <Suspense>
        {secret !== null && <NewSecret secret={secret} onStored={() => setSecret(null)} />}
      </Suspense>
    </>
  )
}
