import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './states.module.css'

/** Keeps the place of what is coming, so that nothing jumps when it is there. */
export function Loading({ rows = 6, rowHeight = 44 }: { rows?: number; rowHeight?: number }) {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={rowHeight} />
      ))}
    </Stack>
  )
}

/** What went wrong, in the service's words, and a way on. */
export function ErrorState({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <Alert color="red" role="alert" title="That did not work">
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

/** What would be here, and what to do so that something is. */
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
