import { Alert, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PanelLive } from '../../../../src/protocol/panel-live.ts'
import { Page } from '../../components/page/page.tsx'
import { Part } from '../../components/page/part.tsx'
import { Loading } from '../../components/page/states.tsx'
import { Time } from '../../components/time.tsx'
import { EngineView } from './engine-view.tsx'
import classes from './live-page.module.css'
import { liveQuery, pollMs } from './live-query.ts'
import { ModelView, ServiceView } from './service-view.tsx'
import { addSample, type Sample } from './speed-history.ts'

/** The current state of the engine, the service and the model. */
export function LivePage() {
  const { data, error, dataUpdatedAt } = useQuery(liveQuery)
  const history = useHistory(data, dataUpdatedAt)
  return (
    <Page title="Live" description={`Updates every ${pollMs / 1000} s`}>
      <div role="status">
        {error !== null && (
          <NotResponding error={error} seenMs={data === undefined ? undefined : dataUpdatedAt} />
        )}
      </div>
      {data === undefined ? (
        error === null && <Loading rows={5} rowHeight={104} />
      ) : (
        <Stack gap="xl" className={error === null ? undefined : classes['old']}>
          <Part title="Engine">
            <EngineView engine={data.engine} queue={data.queue} history={history} />
          </Part>
          <Part title="Service">
            <ServiceView live={data} />
          </Part>
          <Part title="Model">
            <ModelView model={data.model} />
          </Part>
        </Stack>
      )}
    </Page>
  )
}

function useHistory(live: PanelLive | undefined, atMs: number): readonly Sample[] {
  const [history, setHistory] = useState<readonly Sample[]>([])
  useEffect(() => {
    if (live !== undefined) setHistory((before) => addSample(before, live, atMs))
  }, [live, atMs])
  return history
}

/** Shown while the service cannot be reached. The page keeps polling. */
function NotResponding({ error, seenMs }: { error: Error; seenMs: number | undefined }) {
  return (
    <Alert color="red" title="Service not responding">
      {error.message} Retrying every {pollMs / 1000} s.
      {seenMs !== undefined && (
        <>
          {' '}
          The data below is from <Time ms={seenMs} />.
        </>
      )}
    </Alert>
  )
}
