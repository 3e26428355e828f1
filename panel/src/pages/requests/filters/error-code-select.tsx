import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../../api.ts'
import { dayMs, hourMs } from '../../../../../src/time/durations.ts'

const rangeMs = 30 * dayMs

type ErrorCodeSelectProps = {
  /** The error code to filter by; undefined for all requests. */
  value: string | undefined
  onChange: (code: string | undefined) => void
}

/** Selects one of the error codes of the last 30 days, most frequent first. */
export function ErrorCodeSelect({ value, onChange }: ErrorCodeSelectProps) {
  const [nowMs] = useState(() => Date.now())
  const { data } = useQuery({
    queryKey: ['usage', 'error codes', nowMs],
    queryFn: ({ signal }) =>
      callApi('GET /panel/api/usage', {
        query: { from_ms: nowMs - rangeMs, to_ms: nowMs + hourMs, step: 'day' },
        signal,
      }),
  })
  const found = (data?.errors_by_code ?? []).map(({ code }) => code)
  const codes = value === undefined || found.includes(value) ? found : [value, ...found]
  return (
    <NativeSelect
      label="Error"
      size="xs"
      data={[{ value: '', label: 'Any' }, ...codes]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  )
}
