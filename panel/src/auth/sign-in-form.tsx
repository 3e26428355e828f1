import { Anchor, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { faultOf, FormError } from '../components/form-error.tsx'
import { submitTo, textOf } from '../form.ts'
import { setupQuery } from '../session.ts'
import { keepNextPage } from './next-page.ts'
import { ProofNote } from './proof-note.tsx'
import { passkeysBlocked } from './webauthn.ts'
import { beginOidc, signInWithPasskey, signInWithPassword, verifyCode } from './auth-api.ts'

type SignInFormProps = {
  /** The address to prefill, after a session has ended. */
  email?: string
  /** The page to open after a sign-in with OIDC; undefined for the page of an earlier attempt, or the home page. */
  next: string | undefined
  onSignedIn: () => Promise<void>
}

/** Signs in with a password (and a code where two-factor authentication is on), a passkey or OIDC. */
export function SignInForm({ email, next, onSignedIn }: SignInFormProps) {
  const [codeRequired, setCodeRequired] = useState(false)
  if (codeRequired)
    return <CodeForm onSignedIn={onSignedIn} onBack={() => setCodeRequired(false)} />
  return (
    <Stack gap="md">
      <PasswordForm
        email={email}
        onSignedIn={onSignedIn}
        onCodeRequired={() => setCodeRequired(true)}
      />
      <OtherMethods next={next} onSignedIn={onSignedIn} />
    </Stack>
  )
}

type PasswordFormProps = {
  email: string | undefined
  onSignedIn: () => Promise<void>
  onCodeRequired: () => void
}

function PasswordForm({ email, onSignedIn, onCodeRequired }: PasswordFormProps) {
  const signIn = useMutation({
    mutationFn: (form: FormData) =>
      signInWithPassword(textOf(form, 'email'), textOf(form, 'password')),
    onSuccess: (step) => (step === 'signed-in' ? onSignedIn() : onCodeRequired()),
  })
  const { error } = signIn
  return (
    <form onSubmit={submitTo(signIn.mutate)}>
      <Stack gap="md">
        <TextInput
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username webauthn"
          defaultValue={email}
          required
          withAsterisk={false}
          error={faultOf(error, 'email')}
          autoFocus={email === undefined}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          error={faultOf(error, 'password')}
          data-autofocus={email === undefined ? undefined : true}
        />
        <FormError error={error} fields={['email', 'password']} />
        <ProofNote />
        <Button type="submit" loading={signIn.isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}

function OtherMethods({ next, onSignedIn }: Pick<SignInFormProps, 'next' | 'onSignedIn'>) {
  const { data: setup } = useQuery(setupQuery)
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: onSignedIn })
  const oidc = useMutation({
    mutationFn: beginOidc,
    onSuccess: (url) => {
      if (next !== undefined) keepNextPage(next)
      window.location.assign(url)
    },
  })
  if (passkeysBlocked() !== undefined && setup?.oidc == null) return null
  return (
    <Stack gap="sm">
      <Divider label="or" />
      {passkeysBlocked() === undefined && (
        <Button
          variant="default"
          loading={passkey.isPending}
          onClick={() => {
            oidc.reset()
            passkey.mutate()
          }}
        >
          Sign in with a passkey
        </Button>
      )}
      {setup?.oidc != null && (
        <Button
          variant="default"
          loading={oidc.isPending}
          onClick={() => {
            passkey.reset()
            oidc.mutate()
          }}
        >
          Sign in with {setup.oidc.name}
        </Button>
      )}
      <FormError error={passkey.error ?? oidc.error} />
    </Stack>
  )
}

function CodeForm({ onSignedIn, onBack }: { onSignedIn: () => Promise<void>; onBack: () => void }) {
  const [kind, setKind] = useState<'totp' | 'backup-code'>('totp')
  const verify = useMutation({
    mutationFn: (form: FormData) => verifyCode(textOf(form, 'code'), kind),
    onSuccess: onSignedIn,
  })
  const isTotp = kind === 'totp'
  return (
    <form onSubmit={submitTo(verify.mutate)}>
      <Stack gap="md">
        <TextInput
          key={kind}
          label={isTotp ? 'Authenticator code' : 'Backup code'}
          description={
            isTotp ? 'The 6-digit code from your authenticator app.' : 'Each code works once.'
          }
          name="code"
          inputMode={isTotp ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          autoFocus
          required
          withAsterisk={false}
        />
        <FormError error={verify.error} />
        <Button type="submit" loading={verify.isPending}>
          Sign in
        </Button>
        <Anchor
          component="button"
          type="button"
          size="sm"
          onClick={() => {
            verify.reset()
            setKind(isTotp ? 'backup-code' : 'totp')
          }}
        >
          {isTotp ? 'Use a backup code' : 'Use an authenticator code'}
        </Anchor>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          Back to e-mail and password
        </Anchor>
      </Stack>
    </form>
  )
}
