import { Badge, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { PanelKey } from '../../../../src/protocol/panel-keys.ts'
import { Time } from '../../components/time.tsx'
import type { KeysSearch } from './keys-route.ts'
import classes from './keys-table.module.css'
import { LimitBars } from './limit-bars.tsx'

type Sort = NonNullable<KeysSearch['sort']>
type KeysTableProps = { keys: readonly PanelKey[]; search: KeysSearch }

/** On phones each row is a card, with the names of the columns beside what they hold. */
export function KeysTable({ keys, search }: KeysTableProps) {
  return (
    <table className={classes['table']}>
      <caption className={classes['caption']}>API keys</caption>
      <thead>
        <tr>
          <SortedHeader sort="name" label="Name" search={search} />
          <th scope="col">State</th>
          <th scope="col">Use of the limits</th>
          <SortedHeader sort="last_used" label="Last used" search={search} />
          <SortedHeader sort="created" label="Created" search={search} />
          <th scope="col">
            <span className={classes['hidden']}>Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} record={key} search={search} />
        ))}
      </tbody>
    </table>
  )
}

function KeyRow({ record, search }: { record: PanelKey; search: KeysSearch }) {
  const { id, name, state, use, last_used_ms: lastUsedMs, created_ms: createdMs } = record
  return (
    <tr>
      <th scope="row">
        <bdi className={classes['name']} title={name}>
          {name}
        </bdi>
        <code className={classes['id']}>{id}</code>
      </th>
      <td data-column="State">
        <StateBadge state={state} />
        <Deadlines record={record} />
      </td>
      <td data-column="Use of the limits">
        <LimitBars use={use} />
      </td>
      <td data-column="Last used">
        {lastUsedMs === null ? (
          <span className={classes['soft']}>never</span>
        ) : (
          <Time ms={lastUsedMs} show="relative" />
        )}
      </td>
      <td data-column="Created">
        <Time ms={createdMs} show="date" />
      </td>
      <td className={classes['actions']}>
        <Actions record={record} search={search} />
      </td>
    </tr>
  )
}

function StateBadge({ state }: Pick<PanelKey, 'state'>) {
  const colors = { active: 'green', expired: 'yellow', revoked: 'gray' }
  return (
    <Badge variant="light" color={colors[state]} tt="none">
      {state}
    </Badge>
  )
}

function Deadlines({ record }: { record: PanelKey }) {
  const { state, expires_ms: expiresMs, previous_expires_ms: graceEndsMs } = record
  if (state === 'revoked') return null
  return (
    <>
      {expiresMs !== null && (
        <div className={classes['soft']}>
          {state === 'expired' ? 'expired ' : 'expires '}
          <Time ms={expiresMs} show="relative" />
        </div>
      )}
      {graceEndsMs !== null && graceEndsMs > Date.now() && (
        <div className={classes['soft']}>
          old key ends <Time ms={graceEndsMs} show="relative" />
        </div>
      )}
    </>
  )
}

function Actions({
  record: { id, name, state },
  search,
}: {
  record: PanelKey
  search: KeysSearch
}) {
  if (state === 'revoked') return null
  const action = (dialog: 'edit' | 'rotate' | 'revoke', label: string) => (
    <Button
      variant="subtle"
      color={dialog === 'revoke' ? 'red' : 'gray'}
      size="compact-sm"
      aria-label={`${label} ${name}`}
      renderRoot={(props) => (
        <Link to="/keys" search={{ ...search, dialog, key: id }} resetScroll={false} {...props} />
      )}
    >
      {label}
    </Button>
  )
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {action('edit', 'Edit')}
      {action('rotate', 'Rotate')}
      {action('revoke', 'Revoke')}
    </Group>
  )
}

/** A second click turns the order round. */
function SortedHeader({ sort, label, search }: { sort: Sort; label: string; search: KeysSearch }) {
  const isSorted = (search.sort ?? 'created') === sort
  const firstOrder = sort === 'name' ? 'asc' : 'desc'
  const order = search.order ?? 'desc'
  const nextOrder = isSorted ? (order === 'asc' ? 'desc' : 'asc') : firstOrder
  const { page: _page, ...others } = search
  return (
    <th
      scope="col"
      {...(isSorted && { 'aria-sort': order === 'asc' ? 'ascending' : 'descending' })}
    >
      <Link
        to="/keys"
        search={{ ...others, sort, order: nextOrder }}
        className={classes['sort']}
        replace
        resetScroll={false}
      >
        {label}
        <span aria-hidden="true">{isSorted ? (order === 'asc' ? ' ↑' : ' ↓') : ''}</span>
      </Link>
    </th>
  )
}
