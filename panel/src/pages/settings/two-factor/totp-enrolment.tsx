import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { verifyCode } from '../../../auth/auth-api.ts'
import { Copyable } from '../../../components/copyable.tsx'
import { useStay } from '../../../components/dialog/use-stay.ts'
import { FormError } from '../../../components/form-error.tsx'
import { submitTo, textOf } from '../../../form.ts'
import { loadBackupCodes } from './load-backup-codes.ts'
import { QrCode } from './qr-code.tsx'
import type { Enrolment } from '../settings-api.ts'

type TotpEnrolmentProps = {
  enrolment: Enrolment
  onVerified: () => Promise<void>
  onCancel: () => void
}

/** Shows the secret for the authenticator app and verifies the first code. */
export function TotpEnrolment({ enrolment, onVerified, onCancel }: TotpEnrolmentProps) {
  const verify = useMutation({
    onMutate: loadBackupCodes,
    mutationFn: (form: FormData) => verifyCode(textOf(form, 'code'), 'totp'),
    onSuccess: onVerified,
  })
  // The backup codes are shown after the answer.
  useStay(verify.isPending)
  const secret = new URL(enrolment.totpURI).searchParams.get('secret') ?? ''
  return (
    <form onSubmit={submitTo(verify.mutate)}>
      <Stack gap="md">
        <Text size="sm">Scan the QR code with your authenticator app, or enter the secret.</Text>
        <QrCode text={enrolment.totpURI} label="QR code with the secret" />
        <Copyable text={secret} what="secret" />
        <TextInput
          label="Code from the app"
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
            Verify and turn on
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
