import { Badge, Button, Group, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormError } from '../../../components/form-error.tsx'
import { Section } from '../../../components/page/section.tsx'
import { submitTo, textOf } from '../../../form.ts'
import { meQuery } from '../../../session.ts'
import { BackupCodes } from './backup-codes.tsx'
import { beginTotp, endTotp, type Enrolment, newBackupCodes } from '../settings-api.ts'
import { TotpEnrolment } from './totp-enrolment.tsx'

type Step =
  | { step: 'idle' }
  | { step: 'enrolling'; enrolment: Enrolment }
  | { step: 'codes'; codes: readonly string[] }

/** Turns two-factor authentication on and off. */
export function TwoFactorSection() {
  const queryClient = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  const [step, setStep] = useState<Step>({ step: 'idle' })
  const refresh = () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  const content = () => {
    switch (step.step) {
      case 'idle':
        return me.user.two_factor_enabled ? (
          <TurnedOn onCodes={(codes) => setStep({ step: 'codes', codes })} onTurnedOff={refresh} />
        ) : (
          <TurnedOff onBegun={(enrolment) => setStep({ step: 'enrolling', enrolment })} />
        )
      case 'enrolling':
        return (
          <TotpEnrolment
            enrolment={step.enrolment}
            onCancel={() => setStep({ step: 'idle' })}
            onVerified={async () => {
              setStep({ step: 'codes', codes: step.enrolment.backupCodes })
              await refresh()
            }}
          />
        )
      case 'codes':
        return <BackupCodes codes={step.codes} onStored={() => setStep({ step: 'idle' })} />
    }
  }
  return (
    <Section
      title="Two-factor authentication"
      description="Enter a code from an app on your phone after your password."
    >
      {content()}
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
  const renew = useMutation({ mutationFn: newBackupCodes, onSuccess: onCodes })
  const end = useMutation({ mutationFn: endTotp, onSuccess: onTurnedOff })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const submitted = event.nativeEvent
        const button = submitted instanceof SubmitEvent ? submitted.submitter : null
        const password = textOf(new FormData(event.currentTarget), 'password')
        if (button?.getAttribute('value') === 'end') end.mutate(password)
        else renew.mutate(password)
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
