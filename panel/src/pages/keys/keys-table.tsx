import { Badge, Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PanelKey } from '../../../../src/protocol/panel-keys.ts'
import { Time } from '../../components/time.tsx'
import type { KeysSearch } from './keys-search.ts'
import classes from './keys-table.module.css'
import { LimitBars } from './limit-bars.tsx'

type Sort = NonNullable<KeysSearch['sort']>
type KeysTableProps = { keys: readonly PanelKey[]; search: KeysSearch }

/** On phones each row becomes a card, which shows the rare columns only after a click on **Details**. */
export function KeysTable({ keys, search }: KeysTableProps) {
  return (
    <table className={classes['table']}>
      <caption className={classes['caption']}>API keys</caption>
      <thead>
        <tr>
          <SortedHeader sort="name" label="Name" search={search} />
          <th scope="col">Status</th>
          <th scope="col">Limit usage</th>
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
  const { id, name, hint, state, use, last_used_ms: lastUsedMs, created_ms: createdMs } = record
  const [hasDetails, setHasDetails] = useState(false)
  return (
    <tr data-details={hasDetails}>
      <th scope="row">
        <bdi className={classes['name']} title={name}>
          {name}
        </bdi>
        {hint !== null && <code className={classes['id']}>{hint}</code>}
        <code className={classes['id']} data-rare={hint !== null}>
          {id}
        </code>
      </th>
      <td className={classes['status']}>
        <StateBadge state={state} />
        <Deadlines record={record} />
      </td>
      <td className={classes['limits']}>
        <LimitBars use={use} />
      </td>
      <td className={classes['used']}>
        {lastUsedMs === null ? (
          <span className={classes['soft']}>
            Never<span className={classes['label']}> used</span>
          </span>
        ) : (
          <span>
            <span className={classes['label']}>Used </span>
            <Time ms={lastUsedMs} show="relative" />
          </span>
        )}
      </td>
      <td className={classes['created']} data-rare>
        <span className={classes['label']}>Created </span>
        <Time ms={createdMs} show="date" />
      </td>
      <td className={classes['actions']}>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <Button
            className={classes['details']}
            variant="subtle"
            color="gray"
            size="compact-sm"
            aria-label={`Details of ${name}`}
            aria-expanded={hasDetails}
            onClick={() => setHasDetails(!hasDetails)}
          >
            Details
          </Button>
          <Actions record={record} search={search} />
        </Group>
      </td>
    </tr>
  )
}

const states = {
  active: { label: 'Active', color: 'green' },
  expired: { label: 'Expired', color: 'yellow' },
  revoked: { label: 'Revoked', color: 'gray' },
} as const satisfies Record<PanelKey['state'], object>

function StateBadge({ state }: Pick<PanelKey, 'state'>) {
  const { label, color } = states[state]
  return (
    <Badge variant="light" color={color} tt="none">
      {label}
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
          {state === 'expired' ? 'Expired ' : 'Expires '}
          <Time ms={expiresMs} show="relative" />
        </div>
      )}
      {graceEndsMs !== null && graceEndsMs > Date.now() && (
        <div className={classes['soft']}>
          Old secret expires <Time ms={graceEndsMs} show="relative" />
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
    <>
      {action('edit', 'Edit')}
      {action('rotate', 'Rotate')}
      {action('revoke', 'Revoke')}
    </>
  )
}

/** A column header that sorts by its column. A second click reverses the order. */
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
