import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { verifyCode } from '../../../auth/auth-api.ts'
import { Copyable } from '../../../components/copyable.tsx'
import { FormError } from '../../../components/form-error.tsx'
import { submitTo, textOf } from '../../../form.ts'
import { QrCode } from './qr-code.tsx'
import type { Enrolment } from '../settings-api.ts'

type TotpEnrolmentProps = {
  enrolment: Enrolment
  onVerified: () => Promise<void>
  onCancel: () => void
}

/** The app is shown its secret, and has to prove that it took it. */
export function TotpEnrolment({ enrolment, onVerified, onCancel }: TotpEnrolmentProps) {
  const verify = useMutation({
    mutationFn: (form: FormData) => verifyCode(textOf(form, 'code'), 'totp'),
    onSuccess: onVerified,
  })
  const secret = new URL(enrolment.totpURI).searchParams.get('secret') ?? ''
  return (
    <form onSubmit={submitTo(verify.mutate)}>
      <Stack gap="md">
        <Text size="sm">Scan this with your authenticator app, or type the secret into it.</Text>
        <QrCode
          text={enrolment.totpURI}
          label="The secret for your authenticator app, as a QR code"
        />
        <Copyable text={secret} what="secret" />
        <TextInput
          label="The code that the app shows now"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
        />
        <FormError error={verify.error} />
        <Group gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={verify.isPending}>
            Switch on two-step sign-in
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
