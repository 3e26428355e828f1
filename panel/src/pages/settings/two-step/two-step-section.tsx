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

/** A code of an authenticator app beside the password. */
export function TwoStepSection() {
  const queryClient = useQueryClient()
  const { data: me } = useSuspenseQuery(meQuery)
  const [step, setStep] = useState<Step>({ step: 'idle' })
  const refresh = () => queryClient.invalidateQueries({ queryKey: meQuery.queryKey })
  const content = () => {
    switch (step.step) {
      case 'idle':
        return me.user.two_factor_enabled ? (
          <SwitchedOn
            onCodes={(codes) => setStep({ step: 'codes', codes })}
            onSwitchedOff={refresh}
          />
        ) : (
          <SwitchedOff onBegun={(enrolment) => setStep({ step: 'enrolling', enrolment })} />
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
      title="Two-step sign-in"
      description="After the password, a code that an app on your phone shows."
    >
      {content()}
    </Section>
  )
}

function SwitchedOff({ onBegun }: { onBegun: (enrolment: Enrolment) => void }) {
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
            Set up two-step sign-in
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type SwitchedOnProps = {
  onCodes: (codes: readonly string[]) => void
  onSwitchedOff: () => Promise<void>
}

function SwitchedOn({ onCodes, onSwitchedOff }: SwitchedOnProps) {
  const renew = useMutation({ mutationFn: newBackupCodes, onSuccess: onCodes })
  const end = useMutation({ mutationFn: endTotp, onSuccess: onSwitchedOff })
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
            on
          </Badge>
          <Text size="sm">Each sign-in with the password asks for a code.</Text>
        </Group>
        <Password />
        <FormError error={renew.error ?? end.error} />
        <Group gap="xs">
          <Button type="submit" value="renew" variant="default" loading={renew.isPending}>
            New backup codes
          </Button>
          <Button type="submit" value="end" variant="default" loading={end.isPending}>
            Switch it off
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** Typed once more, so that a browser left open is not enough. */
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
