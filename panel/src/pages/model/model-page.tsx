import { Stack } from '@mantine/core'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PanelModel } from '../../../../src/protocol/panel/models.ts'
import { Page } from '../../components/page/page.tsx'
import { Part } from '../../components/page/part.tsx'
import { ErrorState, Loading } from '../../components/page/states.tsx'
import { meQuery } from '../../session.ts'
import { ModelCard } from './model-card.tsx'
import { ComputeFacts, HardwareFacts, ModelFacts } from './model-facts.tsx'
import { modelQuery, modelsQuery } from './models-api.ts'
import { ModelList } from './models/model-list.tsx'
import { PullForm } from './models/pull-form.tsx'
import { PullList } from './models/pull-list.tsx'
import { SwitchState } from './models/switch-state.tsx'

/** The serving model, the machine, and the models that can be pulled and used. */
export function ModelPage() {
  const { data, error, refetch } = useQuery(modelQuery)
  return (
    <Page title="Model" description="The model in use, and others to switch to">
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading rows={5} rowHeight={104} />
      ) : (
        <Stack gap="xl">
          <Serving data={data} />
          <Models />
          {data.card.length > 0 && (
            <Part title="Model card">
              <ModelCard sections={data.card} />
            </Part>
          )}
        </Stack>
      )}
    </Page>
  )
}

function Serving({ data }: { data: PanelModel }) {
  return (
    <>
      <Part title="In use">
        <ModelFacts {...data} />
      </Part>
      <Part title="Speed and memory">
        <ComputeFacts {...data} />
      </Part>
      <Part title="Hardware">
        <HardwareFacts {...data} />
      </Part>
    </>
  )
}

function Models() {
  const { data: me } = useSuspenseQuery(meQuery)
  const { data, error, refetch } = useQuery(modelsQuery)
  const queryClient = useQueryClient()
  const serving = data?.models.find((model) => model.serving)?.name
  // Reload the facts above, which describe the serving model.
  useEffect(() => {
    if (serving !== undefined) void queryClient.invalidateQueries(modelQuery)
  }, [serving, queryClient])
  const isAdmin = me.user.role === 'admin'
  return (
    <Part title="Models">
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading rows={3} rowHeight={56} />
      ) : (
        <>
          <SwitchState models={data} />
          <PullList pulls={data.pulls} isAdmin={isAdmin} />
          <ModelList list={data} isAdmin={isAdmin} />
          {isAdmin && <PullForm list={data} />}
        </>
      )}
    </Part>
  )
}
