import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './states.module.css'

/** Placeholder rows that keep the layout stable while data loads. */
export function Loading({ rows = 6, rowHeight = 44 }: { rows?: number; rowHeight?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={rowHeight} />
      ))}
    </Stack>
  )
}

/** Shows the service's error message and a retry button. */
export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <Alert color="red" role="alert" title="Something went wrong">
      <Stack gap="sm" align="flex-start">
        <span>{error.message}</span>
        {onRetry !== undefined && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Replaces an empty list and suggests the next step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <Stack className={classes['empty']} align="center" gap="xs">
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text component="div" c="dimmed" size="sm" ta="center">
          {children}
        </Text>
      )}
      {action}
    </Stack>
  )
}
