import { Button, Group, Table, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { PanelAccount } from '../../../../src/protocol/panel-accounts.ts'
import { Tag } from '../../components/tag.tsx'
import { Time } from '../../components/time.tsx'
import { TableScrollContainer } from '../../components/table-scroll-container.tsx'
import { formatCompact, formatCount } from '../../format/format.ts'
import { meQuery } from '../../session.ts'
import classes from './accounts-table.module.css'
import type { AccountAction } from './dialogs/action-dialog.tsx'

export function AccountsTable({ accounts }: { accounts: readonly PanelAccount[] }) {
  const [open, setOpen] = useState<{ action: AccountAction; id: string }>()
  const account = accounts.find(({ id }) => id === open?.id)
  return (
    <>
      <TableScrollContainer minWidth={860} tabIndex={0} role="group" aria-label="Accounts">
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
              <Table.Th scope="col" className={classes['number']}>
                Actions
              </Table.Th>
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
      </TableScrollContainer>
      {open !== undefined && account !== undefined && (
        <Suspense>
          <ActionDialog action={open.action} account={account} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}

type AccountRowProps = { account: PanelAccount; onAction: (action: AccountAction) => void }

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
  const button = (action: AccountAction, label: string) => (
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

const ActionDialog = lazy(async () => ({
  default: (await import('./dialogs/action-dialog.tsx')).ActionDialog,
}))
