import { NativeSelect } from '@mantine/core'

type Role = 'admin' | 'member'

type RoleSelectProps = {
  value: Role
  onChange: (role: Role) => void
  description?: string
  disabled?: boolean
}

/** Selects whether a user is a member or an admin. */
export function RoleSelect({
  value,
  onChange,
  description = 'Admins can see and manage all accounts.',
  disabled = false,
}: RoleSelectProps) {
  return (
    <NativeSelect
      label="Role"
      description={description}
      disabled={disabled}
      data={[
        { value: 'member', label: 'Member' },
        { value: 'admin', label: 'Admin' },
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value === 'admin' ? 'admin' : 'member')}
    />
  )
}
