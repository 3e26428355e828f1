import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../api.ts'
import { playgroundKey, useKeyName } from './key-name.tsx'

const playground = { value: playgroundKey.id, label: playgroundKey.name }
const keysListedMax = 50
const typingPauseMs = 200

type KeySelectProps = {
  /** An id; undefined: all keys. */
  value: string | undefined
  onChange: (keyId: string | undefined) => void
}

/** One of the user's keys, found by its name, or all of them. */
export function KeySelect({ value, onChange }: KeySelectProps) {
  const [typed, setTyped] = useState('')
  const [wanted] = useDebouncedValue(typed, typingPauseMs)
  const chosenName = useKeyName(value)
  // What is chosen stands in the field: that is no search.
  const search = wanted === chosenName ? '' : wanted
  const found = useQuery({
    queryKey: ['keys', 'search', search],
    queryFn: ({ signal }) =>
      callApi('GET /panel/api/keys', {
        query: { search, state: 'all', sort: 'last_used', order: 'desc', limit: keysListedMax },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  const options = [
    playground,
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
      nothingFoundMessage="No key has this name."
      data={
        value === undefined || listed
          ? options
          : [{ value, label: chosenName ?? value }, ...options]
      }
      // The service has searched already, in all keys.
      filter={({ options: all }) => all}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchValue={typed}
      onSearchChange={setTyped}
      error={found.error === null ? undefined : found.error.message}
    />
  )
}
