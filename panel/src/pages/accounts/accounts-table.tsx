import { Button, Group, Table, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PanelAccount } from '../../../../src/protocol/panel-accounts.ts'
import { Tag } from '../../components/tag.tsx'
import { Time } from '../../components/time.tsx'
import { formatCompact, formatCount } from '../../format/format.ts'
import { meQuery } from '../../session.ts'
import { AccountDialog } from './account-dialog.tsx'
import classes from './accounts-table.module.css'
import { DisableDialog, EnableDialog } from './disable-dialog.tsx'
import { ResetDialog } from './reset-dialog.tsx'

type Action = 'edit' | 'reset' | 'disable' | 'enable'

export function AccountsTable({ accounts }: { accounts: readonly PanelAccount[] }) {
  const [open, setOpen] = useState<{ action: Action; id: string }>()
  const account = accounts.find(({ id }) => id === open?.id)
  return (
    <>
      <Table.ScrollContainer
        minWidth={860}
        type="native"
        tabIndex={0}
        role="group"
        aria-label="Accounts"
      >
        <Table className="numeric" aria-label="Accounts" verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Name</Table.Th>
              <Table.Th scope="col">Role</Table.Th>
              <Table.Th scope="col" className={classes['number']}>
                Keys
              </Table.Th>
              <Table.Th scope="col" className={classes['number']}>
                Requests
              </Table.Th>
              <Table.Th scope="col" className={classes['number']}>
                Tokens
              </Table.Th>
              <Table.Th scope="col">Last seen</Table.Th>
              <Table.Th scope="col">Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {accounts.map((one) => (
              <AccountRow
                key={one.id}
                account={one}
                onAction={(action) => setOpen({ action, id: one.id })}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {open !== undefined && account !== undefined && (
        <ActionDialog action={open.action} account={account} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

type AccountRowProps = { account: PanelAccount; onAction: (action: Action) => void }

function AccountRow({ account, onAction }: AccountRowProps) {
  const { name, email, role, disabled, use, last_seen_ms: seenMs } = account
  const tokens = use.prompt_tokens + use.completion_tokens
  return (
    <Table.Tr className={disabled ? classes['disabled'] : undefined}>
      <Table.Th scope="row" className={classes['person']}>
        <bdi>{name}</bdi> {disabled && <Tag color="gray">Disabled</Tag>}
        <Text size="xs" c="dimmed">
          {email === null ? 'API keys only, no user' : <bdi>{email}</bdi>}
        </Text>
      </Table.Th>
      <Table.Td>{role === 'admin' ? 'Admin' : role === 'member' ? 'Member' : '–'}</Table.Td>
      <Table.Td className={classes['number']}>{formatCount(account.keys)}</Table.Td>
      <Table.Td className={classes['number']}>{formatCount(use.requests)}</Table.Td>
      <Table.Td className={classes['number']} title={formatCount(tokens)}>
        {formatCompact(tokens)}
      </Table.Td>
      <Table.Td>{seenMs === null ? 'Never' : <Time ms={seenMs} show="relative" />}</Table.Td>
      <Table.Td className={classes['number']}>
        <Actions account={account} onAction={onAction} />
      </Table.Td>
    </Table.Tr>
  )
}

function Actions({ account: { id, name, email, disabled }, onAction }: AccountRowProps) {
  const { data: me } = useSuspenseQuery(meQuery)
  const button = (action: Action, label: string) => (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`${label}: ${name}`}
      onClick={() => onAction(action)}
    >
      {label}
    </Button>
  )
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {button('edit', 'Edit')}
      {email !== null && button('reset', 'Reset password')}
      {disabled && button('enable', 'Enable')}
      {/* Admins cannot disable their own account, because they could not enable it again. */}
      {!disabled && me.account.id !== id && button('disable', 'Disable')}
    </Group>
  )
}

type ActionDialogProps = { action: Action; account: PanelAccount; onClose: () => void }

function ActionDialog({ action, account, onClose }: ActionDialogProps) {
  switch (action) {
    case 'edit':
      return <AccountDialog account={account} onClose={onClose} />
    case 'reset':
      return <ResetDialog account={account} onClose={onClose} />
    case 'disable':
      return <DisableDialog account={account} onClose={onClose} />
    case 'enable':
      return <EnableDialog account={account} onClose={onClose} />
  }
}
