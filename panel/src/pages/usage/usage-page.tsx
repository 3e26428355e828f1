import { Button, Group, SegmentedControl, Skeleton, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { PanelUsage, UsageStep } from '../../../../src/protocol/panel-usage.ts'
import { DownloadButton } from '../../components/download-button.tsx'
import { KeySelect } from '../../components/keys/key-select.tsx'
import { Page } from '../../components/page/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { EmptyState, ErrorState } from '../../components/page/states.tsx'
import { useNow } from '../../format/use-now.ts'
import { charts } from './charts.ts'
import classes from './usage-page.module.css'
import { ErrorsByCode } from './breakdown/errors-by-code.tsx'
import { KeyChart } from './breakdown/key-chart.tsx'
import { csvUrl, jsonUrl, refreshMs, usageQuery } from './usage-query.ts'
import { toUsageView, type UsageView } from './usage-search.ts'
import { KeyTable, PointTable } from './usage-tables.tsx'
import { UsageTotals } from './usage-totals.tsx'

const route = getRouteApi('/signed-in/usage')
/** Loads uPlot only when there is data to draw. */
const UsageChart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }))

/** Charts that a phone shows at first: tokens. */
const chartsOnPhone = 1
/** The page begins with at most three screens, also with many keys. */
const rowsAtFirst = { phone: 3, wide: 5 }

/** Usage over time and by key. */
export function UsagePage() {
  const search = route.useSearch()
  const view = toUsageView(search, useNow(refreshMs))
  return (
    <Page
      title="Usage"
      description="Tokens, requests, errors and latency of your API keys."
      actions={view.fault === undefined && <Export view={view} keyId={search.key} />}
    >
      <Filters view={view} />
      {view.fault === undefined ? (
        <UsageOf view={view} keyId={search.key} />
      ) : (
        <EmptyState title="Invalid date range">{view.fault}</EmptyState>
      )}
    </Page>
  )
}

function Export({ view, keyId }: { view: UsageView; keyId: string | undefined }) {
  return (
    <>
      <DownloadButton href={csvUrl(view, keyId, 'time')}>Download CSV</DownloadButton>
      <DownloadButton href={csvUrl(view, keyId, 'keys')}>CSV by key</DownloadButton>
      <DownloadButton href={jsonUrl(view, keyId)} fileName="pipit-usage.json">
        JSON
      </DownloadButton>
    </>
  )
}

function Filters({ view }: { view: UsageView }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const show = (changed: typeof search) => void navigate({ search: changed, resetScroll: false })
  const { range: _range, from: _from, to: _to, ...others } = search
  return (
    <Group gap="md" align="flex-end">
      <RangePicker value={view.range} onChange={(range) => show({ ...others, ...range })} />
      <SegmentedControl
        aria-label="Group by"
        size="xs"
        data={[
          { value: 'hour', label: 'By hour', disabled: !view.hoursFit },
          { value: 'day', label: 'By day' },
        ]}
        value={view.step}
        onChange={(step: UsageStep) => show({ ...search, step })}
      />
      <KeySelect
        value={search.key}
        onChange={(key) => {
          const { key: _key, ...rest } = search
          show(key === undefined ? rest : { ...rest, key })
        }}
      />
    </Group>
  )
}

type UsageOfProps = { view: UsageView; keyId: string | undefined }

function UsageOf({ view, keyId }: UsageOfProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(usageQuery(view, keyId))
  if (error !== null && data === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <UsageSkeleton />
  return (
    <Stack
      gap="lg"
      aria-busy={isPlaceholderData}
      className={isPlaceholderData ? classes['old'] : ''}
    >
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data.totals.requests === 0 ? (
        <NoRequests />
      ) : (
        <UsageCharts usage={data} view={view} keyId={keyId} />
      )}
    </Stack>
  )
}

function UsageCharts({ usage, view, keyId }: UsageOfProps & { usage: PanelUsage }) {
  const { points, step, totals, currency } = usage
  const [index, setIndex] = useState<number>()
  // A shorter range may have fewer points than the previous one.
  const selected = index !== undefined && index < points.length ? index : undefined
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const [all, setAll] = useState(false)
  const atFirst = isPhone ? rowsAtFirst.phone : rowsAtFirst.wide
  const shown = isPhone && !all ? charts.slice(0, chartsOnPhone) : charts
  return (
    <>
      <UsageTotals totals={totals} currency={currency} />
      <div className={classes['charts']}>
        {shown.map((chart) => (
          <Suspense key={chart.title} fallback={<Skeleton className={classes['chart']} />}>
            <UsageChart {...{ chart, points, step, totals }} index={selected} onIndex={setIndex} />
          </Suspense>
        ))}
      </div>
      {shown.length < charts.length && (
        <Button variant="default" size="xs" onClick={() => setAll(true)}>
          Show requests, latency and queueing
        </Button>
      )}
      <div className={classes['breakdowns']}>
        {usage.keys.length > 1 && <KeyChart keys={usage.keys} />}
        <ErrorsByCode
          errors={usage.errors_by_code}
          search={{ ...view.range, ...(keyId !== undefined && { key: keyId }) }}
        />
      </div>
      <KeyTable keys={usage.keys} keys_left_out={usage.keys_left_out} {...{ currency, atFirst }} />
      <PointTable {...{ points, step, currency, atFirst }} />
    </>
  )
}

function NoRequests() {
  return (
    <EmptyState
      title="No requests in this time range"
      action={
        <Button component={Link} to="/quick-start" variant="default" size="xs">
          Make your first request
        </Button>
      }
    >
      API requests and playground messages are counted here. Choose a longer range, or send a
      request.
    </EmptyState>
  )
}

/** Placeholders as tall as the content. */
function UsageSkeleton() {
  return (
    <Stack gap="lg" role="status" aria-label="Loading">
      <Skeleton className={classes['totals']} />
      <div className={classes['charts']}>
        {charts.map(({ title }) => (
          <Skeleton key={title} className={classes['chart']} />
        ))}
      </div>
    </Stack>
  )
}
