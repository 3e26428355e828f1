import { Button, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Invite } from '../../../../src/protocol/panel-accounts.ts'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx'
import { ErrorState, Loading } from '../../components/page/states.tsx'
import { Time } from '../../components/time.tsx'
import { invitesQuery, useRevokeInvite } from './accounts-api.ts'
import classes from './accounts-table.module.css'

/** Links that nobody has used yet. */
export function Invites() {
  const titleId = useId()
  const { data, error, refetch } = useQuery(invitesQuery)
  return (
    <Stack gap="sm" component="section" aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        Open invites
      </Title>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={1} />}
      {data?.data.length === 0 && (
        <Text c="dimmed" size="sm">
          None is open.
        </Text>
      )}
      {data !== undefined && data.data.length > 0 && (
        <InvitesTable invites={data.data} titleId={titleId} />
      )}
    </Stack>
  )
}

/** Where the service makes none. */
export function NoInvites() {
  return (
    <Text c="dimmed" size="sm">
      Invites are switched off. To make them here, start the service with{' '}
      <code>PIPIT_SIGN_UP=invite</code>; without them, <code>pipit accounts create</code> makes an
      account.
    </Text>
  )
}

type InvitesTableProps = { invites: readonly Invite[]; titleId: string }

function InvitesTable({ invites, titleId }: InvitesTableProps) {
  const [revoking, setRevoking] = useState<Invite>()
  return (
    <>
      <Table.ScrollContainer
        minWidth={520}
        type="native"
        tabIndex={0}
        role="group"
        aria-labelledby={titleId}
      >
        <Table aria-labelledby={titleId} className="numeric">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">For</Table.Th>
              <Table.Th scope="col">Role</Table.Th>
              <Table.Th scope="col">Made</Table.Th>
              <Table.Th scope="col">Ends</Table.Th>
              <Table.Th scope="col">Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {invites.map((invite) => (
              <Table.Tr key={invite.id}>
                <Table.Th scope="row" className={classes['person']}>
                  {forWhom(invite)}
                </Table.Th>
                <Table.Td>{invite.role === 'admin' ? 'Admin' : 'Member'}</Table.Td>
                <Table.Td>
                  <Time ms={invite.created_ms} show="relative" />
                </Table.Td>
                <Table.Td>
                  <Time ms={invite.expires_ms} show="relative" />
                </Table.Td>
                <Table.Td className={classes['number']}>
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`Revoke the invite for ${invite.email ?? 'whoever opens it first'}`}
                    onClick={() => setRevoking(invite)}
                  >
                    Revoke
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {revoking !== undefined && (
        <RevokeDialog invite={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </>
  )
}

function RevokeDialog({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const revoke = useRevokeInvite(invite)
  return (
    <ConfirmDialog
      title="Revoke this invite?"
      confirm="Revoke the invite"
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      The link for {forWhom(invite)} does not work any more. You can make another one.
    </ConfirmDialog>
  )
}

function forWhom({ email }: Invite) {
  return email === null ? 'whoever opens it first' : <bdi>{email}</bdi>
}
