import { Alert, Button, Group, Stack, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { ConfirmButton } from '../../../components/dialog/confirm-button.tsx'
import { Copyable } from '../../../components/copyable.tsx'
import { faultOf, FormError } from '../../../components/form-error.tsx'
import { submitTo, textOf, useFocusOnError, useRemovals } from '../../../form.ts'
import { useSetWebhook } from './alerts-api.ts'

/** Only the service checks the form. */
const noFaults = {}

/** Sets the URL of the webhook, and shows a new secret once. */
export function WebhookForm({ url }: { url: string | null }) {
  const set = useSetWebhook()
  const form = useRef<HTMLFormElement>(null)
  useFocusOnError(form, noFaults, set.error)
  const removals = useRemovals(url !== null)
  const secret = set.data?.secret
  return (
    <form
      ref={form}
      onSubmit={submitTo((typed) => set.mutate({ url: textOf(typed, 'url') }))}
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
                onConfirm={() => set.mutate({ url, rotate: true })}
              />
              <ConfirmButton
                label="Remove"
                fullLabel="Remove the webhook"
                confirmLabel="Remove webhook"
                isPending={set.isPending}
                onConfirm={() => set.mutate({ url: null })}
              />
            </>
          )}
          <span role="status">
            {set.isSuccess && (set.variables.url === null ? 'Removed.' : 'Saved.')}
          </span>
        </Group>
        {secret != null && (
          <Alert title="Copy this signing secret now">
            You will not see it again. Your receiver checks signatures with it.{' '}
            <Copyable text={secret} what="secret" />
          </Alert>
        )}
      </Stack>
    </form>
  )
}
