import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PanelSession } from '../../../../src/protocol/panel-session.ts'
import { FirstRows } from '../../components/first-rows.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Section } from '../../components/page/section.tsx'
import { ErrorState, Loading } from '../../components/page/states.tsx'
import { Time } from '../../components/time.tsx'
import { describeBrowser } from './describe-browser.ts'
import { endOtherSessions, endSession, sessionsQuery } from './settings-api.ts'
import classes from './settings.module.css'

/** The page begins with at most three screens, also with many sessions. */
const sessionsShownAtFirst = 4

export function SessionsSection() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const endOthers = useEnding(endOtherSessions)
  return (
    <Section title="Sessions" description="The browsers where you are signed in.">
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading rows={2} />}
      {data !== undefined && (
        <FirstRows
          rows={data.toSorted((a, b) => Number(b.current) - Number(a.current))}
          atFirst={sessionsShownAtFirst}
          what="sessions"
        >
          {(shown) => (
            <ul className={classes['list']}>
              {shown.map((session) => (
                <SessionItem key={session.id} session={session} />
              ))}
            </ul>
          )}
        </FirstRows>
      )}
      <FormError error={endOthers.error} />
      <Group gap="sm">
        <Button
          variant="default"
          disabled={data === undefined || data.length < 2}
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate()}
        >
          Sign out all other sessions
        </Button>
        <span role="status">{endOthers.isSuccess && 'All other sessions signed out.'}</span>
      </Group>
    </Section>
  )
}

function SessionItem({ session }: { session: PanelSession }) {
  const end = useEnding(() => endSession(session.token))
  const browser = describeBrowser(session.userAgent)
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div>
          {browser}
          {session.ipAddress !== null && ` · ${session.ipAddress}`}
          <Text size="sm" c="dimmed">
            Signed in <Time ms={new Date(session.createdAt).getTime()} />
          </Text>
        </div>
        {session.current ? (
          <Badge variant="light" color="green" tt="none">
            This browser
          </Badge>
        ) : (
          <Button
            variant="default"
            size="xs"
            aria-label={`Sign out ${browser}`}
            loading={end.isPending}
            onClick={() => end.mutate()}
          >
            Sign out
          </Button>
        )}
      </Group>
      <FormError error={end.error} />
    </li>
  )
}

function useEnding(end: () => Promise<unknown>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: end,
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}
