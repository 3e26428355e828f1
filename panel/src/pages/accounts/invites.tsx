import { Button, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Invite } from '../../../../src/protocol/panel-accounts.ts'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog.tsx'
import { ErrorState, Loading } from '../../components/page/states.tsx'
import { Time } from '../../components/time.tsx'
import { invitesQuery, useRevokeInvite } from './accounts-api.ts'
import classes from './accounts-table.module.css'

/** Invites that are neither used, revoked nor expired. */
export function Invites() {
  const titleId = useId()
  const { data, error, refetch } = useQuery(invitesQuery)
  return (
    <Stack gap="sm" component="section" aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        Pending invites
      </Title>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={1} />}
      {data?.data.length === 0 && (
        <Text c="dimmed" size="sm">
          No pending invites
        </Text>
      )}
      {data !== undefined && data.data.length > 0 && (
        <InvitesTable invites={data.data} titleId={titleId} />
      )}
    </Stack>
  )
}

/** Shown instead of the invites when the service does not allow them. */
export function InvitesOff() {
  return (
    <Text c="dimmed" size="sm">
      Invites are turned off. To turn them on, start the service with{' '}
      <code>PIPIT_SIGN_UP=invite</code>. To add a user without an invite, run{' '}
      <code>pipit accounts create</code>.
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
              <Table.Th scope="col">Created</Table.Th>
              <Table.Th scope="col">Expires</Table.Th>
              <Table.Th scope="col">Actions</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {invites.map((invite) => (
              <Table.Tr key={invite.id}>
                <Table.Th scope="row" className={classes['person']}>
                  {inviteeOf(invite)}
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
                    aria-label={`Revoke the invite for ${invite.email ?? anyone}`}
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
      confirm="Revoke invite"
      pending={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      The link for {inviteeOf(invite)} will stop working. You can create a new one.
    </ConfirmDialog>
  )
}

const anyone = 'anyone with the link'

function inviteeOf({ email }: Invite) {
  return email === null ? anyone : <bdi>{email}</bdi>
}
