import { Badge, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useStay } from '../../../components/dialog/use-stay.ts'
import { FormError } from '../../../components/form-error.tsx'
import { Section } from '../../../components/page/section.tsx'
import { submitTo, textOf } from '../../../form.ts'
import { meQuery } from '../../../session.ts'
import { loadBackupCodes } from './load-backup-codes.ts'
import { beginTotp, endTotp, type Enrolment, newBackupCodes } from '../settings-api.ts'
import { TotpEnrolment } from './totp-enrolment.tsx'

const BackupCodes = lazy(loadBackupCodes)

/** Turns two-factor authentication on and off. */
export function TwoFactorSection() {
  const queryClient = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  const content = () => {
    if (enrolment !== undefined)
      return (
        <TotpEnrolment
          enrolment={enrolment}
          onCancel={() => setEnrolment(undefined)}
          onVerified={async () => {
            setEnrolment(undefined)
            setCodes(enrolment.backupCodes)
            await refresh()
          }}
        />
      )
    if (me.user.two_factor_enabled) return <TurnedOn onCodes={setCodes} onTurnedOff={refresh} />
    return <TurnedOff onBegun={setEnrolment} />
  }
  return (
    <Section
      title="Two-factor authentication"
      description="Enter a code from an app on your phone after your password."
    >
      {content()}
      <Suspense>
        {codes !== undefined && <BackupCodes codes={codes} onStored={() => setCodes(undefined)} />}
      </Suspense>
    </Section>
  )
}

function TurnedOff({ onBegun }: { onBegun: (enrolment: Enrolment) => void }) {
  const begin = useMutation({
    mutationFn: (form: FormData) => beginTotp(textOf(form, 'password')),
    onSuccess: onBegun,
  })
  return (
    <form onSubmit={submitTo(begin.mutate)}>
      <Stack gap="md">
        <Password />
        <FormError error={begin.error} />
        <Group>
          <Button type="submit" variant="default" loading={begin.isPending}>
            Set up two-factor authentication
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type TurnedOnProps = {
  onCodes: (codes: readonly string[]) => void
  onTurnedOff: () => Promise<void>
}

function TurnedOn({ onCodes, onTurnedOff }: TurnedOnProps) {
  const renew = useMutation({
    onMutate: loadBackupCodes,
    mutationFn: newBackupCodes,
    onSuccess: onCodes,
  })
  const end = useMutation({ mutationFn: endTotp, onSuccess: onTurnedOff })
  useStay(renew.isPending)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const submitted = event.nativeEvent
        const button = submitted instanceof SubmitEvent ? submitted.submitter : null
        const password = textOf(new FormData(event.currentTarget), 'password')
        const [chosen, other] =
          button?.getAttribute('value') === 'end' ? [end, renew] : [renew, end]
        other.reset()
        chosen.mutate(password)
      }}
    >
      <Stack gap="md">
        <Group gap="xs">
          <Badge variant="light" color="green" tt="none">
            On
          </Badge>
          <Text size="sm">Signing in with your password requires a code.</Text>
        </Group>
        <Password />
        <FormError error={renew.error ?? end.error} />
        <Group gap="xs">
          <Button type="submit" value="renew" variant="default" loading={renew.isPending}>
            Regenerate backup codes
          </Button>
          <Button type="submit" value="end" variant="default" loading={end.isPending}>
            Turn off
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Asks for the password again, so that access to an unattended browser is not enough. */
function Password() {
  return (
    <PasswordInput
      label="Your password"
      name="password"
      autoComplete="current-password"
      required
      withAsterisk={false}
    />
  )
}
