import { Alert } from '@mantine/core'
import { ApiError } from '../api.ts'

/** What the service says of one field, to be shown at that field. */
export function faultOf(error: Error | null, field: string): string | undefined {
  return error instanceof ApiError && error.param === field ? error.message : undefined
}

/** What went wrong with a form as a whole: what belongs to one of its fields is shown there. */
export function FormError({ error, fields = [] }: { error: Error | null; fields?: string[] }) {
  if (error === null) return null
  if (fields.some((field) => faultOf(error, field) !== undefined)) return null
  return (
    <Alert color="red" role="alert">
      {error.message}
    </Alert>
  )
}
