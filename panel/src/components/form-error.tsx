import { Alert } from '@mantine/core'
import { ApiError } from '../api.ts'

/** Returns the service's error for one field, to be shown at that field. */
export function faultOf(error: Error | null, field: string): string | undefined {
  return error instanceof ApiError && error.param === field ? error.message : undefined
}

/** Shows an error of the whole form. Errors of the listed `fields` are shown at those fields instead. */
export function FormError({ error, fields = [] }: { error: Error | null; fields?: string[] }) {
  if (error === null) return null
  if (fields.some((field) => faultOf(error, field) !== undefined)) return null
  return (
    <Alert color="red" role="alert">
      {error.message}
    </Alert>
  )
}
