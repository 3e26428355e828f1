import { PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { faultOf } from '../components/form-error.tsx'
import { setupQuery } from '../session.ts'

type FieldProps = { error: Error | null }

export function NameField({ error }: FieldProps) {
  return (
    <TextInput
      label="Name"
      name="name"
      autoComplete="name"
      dir="auto"
      required
      withAsterisk={false}
      error={faultOf(error, 'name')}
    />
  )
}

type EmailFieldProps = FieldProps & {
  /** The only accepted address, shown read-only. */
  only?: string | undefined
}

export function EmailField({ error, only }: EmailFieldProps) {
  return (
    <TextInput
      label="E-mail"
      description="Used to sign in. No e-mail is sent to it."
      name="email"
      type="email"
      autoComplete="username"
      {...(only !== undefined && { value: only, readOnly: true })}
      required
      withAsterisk={false}
      error={faultOf(error, 'email')}
    />
  )
}

type NewPasswordFieldProps = FieldProps & { name?: string; label?: string }

export function NewPasswordField({
  error,
  name = 'password',
  label = 'Password',
}: NewPasswordFieldProps) {
  const { data: setup } = useQuery(setupQuery)
  const rule = setup === undefined ? '' : `At least ${setup.password_chars_min} characters. `
  return (
    <PasswordInput
      label={label}
      description={`${rule}A few random words that you use nowhere else work well.`}
      name={name}
      autoComplete="new-password"
      required
      withAsterisk={false}
      error={faultOf(error, name)}
    />
  )
}
