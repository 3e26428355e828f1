import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { passkeysBlocked } from '../../auth/webauthn.ts'
import { ConfirmButton } from '../../components/dialog/confirm-button.tsx'
import { faultOf, FormError } from '../../components/form-error.tsx'
import { Section } from '../../components/page/section.tsx'
import { ErrorState, Loading } from '../../components/page/states.tsx'
import { Time } from '../../components/time.tsx'
import { submitTo, textOf } from '../../form.ts'
import { meQuery } from '../../session.ts'
import { addPasskey, type Passkey, passkeysQuery, removePasskey } from './settings-api.ts'
import classes from './settings.module.css'

export function PasskeysSection() {
  const { data, error, refetch } = useQuery(passkeysQuery)
  const blocked = passkeysBlocked()
  return (
    <Section
      title="Passkeys"
      description="Sign in with your device’s fingerprint, face or PIN instead of a password."
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={1} />}
      {data !== undefined && data.length > 0 && (
        <ul className={classes['list']}>
          {data.map((passkey) => (
            <PasskeyItem key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {blocked === undefined ? <NewPasskey /> : <PasskeysBlocked {...blocked} />}
    </Section>
  )
}

type PasskeysBlockedProps = NonNullable<ReturnType<typeof passkeysBlocked>>

function PasskeysBlocked({ reason, url }: PasskeysBlockedProps) {
  return (
    <Text size="sm">
      {reason}{' '}
      {url === undefined ? (
        'Open the panel by its host name, over HTTPS.'
      ) : (
        <>
          Open the panel at <a href={url}>{new URL(url).host}</a> instead, and sign in there.
        </>
      )}
    </Text>
  )
}

function PasskeyItem({ passkey: { id, name, createdAt } }: { passkey: Passkey }) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removePasskey(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  })
  const title = name ?? 'Passkey'
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div>
          <bdi>{title}</bdi>
          {createdAt !== null && (
            <Text size="sm" c="dimmed">
              Added <Time ms={new Date(createdAt).getTime()} show="date" />
            </Text>
          )}
        </div>
        <ConfirmButton
          label="Remove"
          fullLabel={`Remove ${title}`}
          confirmLabel="Remove passkey"
          isPending={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </Group>
      <FormError error={remove.error} />
    </li>
  )
}

function NewPasskey() {
  const queryClient = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  const form = useRef<HTMLFormElement>(null)
  const add = useMutation({
    mutationFn: (typed: FormData) => addPasskey(textOf(typed, 'name'), textOf(typed, 'password')),
    onSuccess: () => {
      form.current?.reset()
      return queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey })
    },
  })
  return (
    <form ref={form} onSubmit={submitTo(add.mutate)}>
      <Stack gap="md">
        <TextInput
          label="Passkey name"
          description="For example, the name of your device."
          name="name"
          dir="auto"
          autoComplete="off"
          maxLength={64}
          required
          withAsterisk={false}
        />
        {me.user.has_password && (
          <PasswordInput
            label="Account password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            error={faultOf(add.error, 'password')}
          />
        )}
        <FormError error={add.error} fields={['password']} />
        <Group gap="sm">
          <Button type="submit" variant="default" loading={add.isPending}>
            Add passkey
          </Button>
          <span role="status">{add.isSuccess && 'Passkey added.'}</span>
        </Group>
      </Stack>
    </form>
  )
}
