import { TextInput } from '@mantine/core'
import { useState } from 'react'

type RequestIdFieldProps = {
  /** The whole id of the request to find; undefined for all requests. */
  value: string | undefined
  onChange: (id: string | undefined) => void
}

/** Finds one request by its whole id, which every response has in `x-request-id`. Enter searches. */
export function RequestIdField({ value, onChange }: RequestIdFieldProps) {
  const [typed, setTyped] = useState(value ?? '')
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onChange(typed.trim() || undefined)
      }}
    >
      <TextInput
        type="search"
        label="Request ID"
        size="xs"
        placeholder="req_… (x-request-id)"
        maxLength={200}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          if (currentTarget.value === '') onChange(undefined)
        }}
      />
    </form>
  )
}
