import { Button, Stack, Switch, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useState } from 'react'
import type { Invite, InviteList } from '../../../../src/protocol/panel-accounts.ts'
import { FirstRows } from '../../components/first-rows.tsx'
import { FormError } from '../../components/form-error.tsx'
import { ErrorState, Loading } from '../../components/page/states.tsx'
import { Time } from '../../components/time.tsx'
import { TableScrollContainer } from '../../components/table-scroll-container.tsx'
import { invitesQuery, useAllowInvites, useRevokeInvite } from './accounts-api.ts'
import classes from './accounts-table.module.css'

/** The page begins with at most three screens, also with many invites. */
const invitesShownAtFirst = 3

/** Pending invites (not used, revoked or expired), and the switch that lets admins create invites. */
export function Invites() {
  const titleId = useId()
  const { data, error, refetch } = useQuery(invitesQuery)
  return (
    <Stack gap="sm" component="section" aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        Invites
      </Title>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={1} />}
      {data !== undefined && <AllowInvites list={data} />}
      {data?.sign_up !== 'closed' && data?.data.length === 0 && (
        <Text c="dimmed" size="sm">
          No pending invites
        </Text>
      )}
      {data !== undefined && data.data.length > 0 && (
        <FirstRows rows={data.data} atFirst={invitesShownAtFirst} what="invites">
          {(shown) => <InvitesTable invites={shown} titleId={titleId} />}
        </FirstRows>
      )}
    </Stack>
  )
}

/** Turns invites on and off. Read-only if PIPIT_SIGN_UP sets the mode. */
function AllowInvites({ list }: { list: InviteList }) {
  const allow = useAllowInvites()
  if (!list.can_change)
    return (
      <Text c="dimmed" size="sm">
        {signUpTexts[list.sign_up]} The setting <code>PIPIT_SIGN_UP</code> decides this.
      </Text>
    )
  return (
    <>
      <Switch
        label="Allow invites"
        description="Admins can create links. Each link creates one account and works once, for seven days."
        checked={list.sign_up === 'invite'}
        // Not disabled meanwhile, because that would take the focus away.
        onChange={(event) => {
          if (!allow.isPending) allow.mutate(event.currentTarget.checked)
        }}
      />
      <FormError error={allow.error} />
    </>
  )
}

const signUpTexts = {
  closed: 'Invites are off.',
  invite: 'Admins can invite users.',
  open: 'Everyone who reaches the sign-in page can create an account. An invite can make a user an admin.',
} as const satisfies Record<InviteList['sign_up'], string>

type InvitesTableProps = { invites: readonly Invite[]; titleId: string }

function InvitesTable({ invites, titleId }: InvitesTableProps) {
  const [revoking, setRevoking] = useState<Invite>()
  return (
    <>
      <TableScrollContainer minWidth={520} tabIndex={0} role="group" aria-labelledby={titleId}>
        <Table aria-labelledby={titleId} className="numeric">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">For</Table.Th>
              <Table.Th scope="col">Role</Table.Th>
              <Table.Th scope="col">Created</Table.Th>
              <Table.Th scope="col">Expires</Table.Th>
              <Table.Th scope="col" className={classes['number']}>
                Actions
              </Table.Th>
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
      </TableScrollContainer>
      {revoking !== undefined && (
        <Suspense>
          <RevokeDialog invite={revoking} onClose={() => setRevoking(undefined)} />
        </Suspense>
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

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../components/dialog/confirm-dialog.tsx')).ConfirmDialog,
}))

const anyone = 'anyone with the link'

function inviteeOf({ email }: Invite) {
  return email === null ? anyone : <bdi>{email}</bdi>
}
