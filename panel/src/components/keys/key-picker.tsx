import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api.ts'
import { playgroundKey, useKeyName } from './key-name.tsx'

const playground = { value: playgroundKey.id, label: playgroundKey.name }
const typingPauseMs = 200

export type KeySelectProps = {
  /** A key's id; undefined for all keys. */
  value: string | undefined
  onChange: (keyId: string | undefined) => void
}

/** Selects one of the user's keys, found by name, or all keys. */
export function KeyPicker({ value, onChange }: KeySelectProps) {
  const [typed, setTyped] = useState('')
  const [debounced] = useDebouncedValue(typed, typingPauseMs)
  const chosenName = useKeyName(value)
  // After a selection the field contains the key's name, which must not filter the list.
  const search = debounced === chosenName ? '' : debounced
  const found = useQuery({
    queryKey: ['keys', 'search', search],
    queryFn: ({ signal }) =>
      callApi('GET /panel/api/keys', {
        query: { search, state: 'all', sort: 'last_used', order: 'desc' },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  const wanted = typed === chosenName ? '' : typed.toLowerCase()
  const isPlaygroundFound = playground.label.toLowerCase().includes(wanted)
  const options = [
    ...(isPlaygroundFound ? [playground] : []),
    ...(found.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  const listed = options.some((option) => option.value === value)
  return (
    <Select
      label="Key"
      size="xs"
      placeholder="All keys"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'All keys' }}
      nothingFoundMessage="No matching keys"
      data={
        value === undefined || listed
          ? options
          : [{ value, label: chosenName ?? value }, ...options]
      }
      // The service has already searched all keys.
      filter={({ options: all }) => all}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchValue={typed}
      onSearchChange={setTyped}
      error={found.error === null ? undefined : found.error.message}
    />
  )
}
