import 'uplot/dist/uPlot.min.css'
import { Group, Text, Title, useComputedColorScheme } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import uPlot from 'uplot'
import type { DetailedSums } from '../../../../src/protocol/panel-usage.ts'
import type { Chart, Series } from './charts.ts'
import { plotData, type PlotInput, plotOptions } from './plot-options.ts'
import { pointLabel } from './point-label.ts'
import classes from './usage-chart.module.css'

type UsageChartProps = PlotInput & {
  totals: DetailedSums
  /** The selected point, shared by all charts; undefined for the whole range. */
  index: number | undefined
  onIndex: (index: number | undefined) => void
}

/** A chart with its values at the cursor as text. The pointer or the arrow keys move the cursor. */
export function UsageChart({ chart, points, step, totals, index, onIndex }: UsageChartProps) {
  const titleId = useId()
  const frame = usePlot({ chart, points, step }, index, onIndex)
  const point = index === undefined ? undefined : points[index]
  const sums = point ?? totals
  const when = point === undefined ? 'Entire range' : pointLabel(point.begin_ms, step)
  return (
    <section aria-labelledby={titleId} className={classes['chart']}>
      <Group justify="space-between" gap="xs">
        <Title order={2} id={titleId}>
          {chart.title}
        </Title>
        <Text size="xs" c="dimmed" className="numeric">
          {when}
        </Text>
      </Group>
      <Legend chart={chart} sums={sums} />
      <div
        ref={frame}
        className={classes['frame']}
        role="slider"
        tabIndex={0}
        aria-label={`${chart.title} by ${step}. Use the arrow keys to select a point.`}
        aria-valuemin={0}
        aria-valuemax={Math.max(points.length - 1, 0)}
        aria-valuenow={index ?? points.length - 1}
        aria-valuetext={`${when}: ${readOut(chart, sums)}`}
        onKeyDown={(event) => {
          const next = indexAfterKey(event, index, points.length)
          if (next !== undefined) onIndex(next)
          else if (event.key === 'Escape') onIndex(undefined)
          else return
          event.preventDefault()
        }}
      />
    </section>
  )
}

/** Redraws the chart when the data, the theme or the width changes. */
function usePlot(input: PlotInput, index: number | undefined, onIndex: UsageChartProps['onIndex']) {
  const { chart, points, step } = input
  const frame = useRef<HTMLDivElement>(null)
  const plotted = useRef<uPlot>(undefined)
  const scheme = useComputedColorScheme()
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const size = () => ({ width: element.clientWidth, height: element.clientHeight })
    // The colours depend on `scheme`.
    const styles = getComputedStyle(element)
    const shown = { chart, points, step }
    // The first drawing, a microtask later, reports that no point is selected.
    let isDrawn = false
    const note = (next: number | undefined) => {
      if (isDrawn) onIndex(next)
    }
    const plot = new uPlot(plotOptions(shown, size(), styles, note), plotData(shown), element)
    queueMicrotask(() => (isDrawn = true))
    plotted.current = plot
    const observer = new ResizeObserver(() => plot.setSize(size()))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [chart, points, step, scheme, onIndex])
  useEffect(() => {
    let isLatest = true
    // A new plot has no scales before its first drawing.
    queueMicrotask(() => {
      const plot = plotted.current
      if (!isLatest || plot === undefined || (plot.cursor.idx ?? undefined) === index) return
      const left = index === undefined ? -10 : plot.valToPos(index, 'x')
      plot.setCursor({ left, top: index === undefined ? -10 : 0 }, false)
    })
    return () => {
      isLatest = false
    }
  }, [chart, points, step, scheme, index])
  return frame
}

function Legend({ chart, sums }: { chart: Chart; sums: DetailedSums }) {
  return (
    <dl className={classes['legend']}>
      {chart.series.map((series) => (
        <div key={series.label} className={classes['entry']}>
          <dt>
            <Swatch series={series} />
            {series.label}
          </dt>
          <dd className="numeric">{formatValue(chart, series, sums)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Swatch({ series: { color, pattern } }: { series: Series }) {
  return (
    <span
      aria-hidden
      className={`${classes['swatch']} ${classes[pattern]}`}
      style={{ color: `var(${color})` }}
    />
  )
}

function readOut(chart: Chart, sums: DetailedSums): string {
  return chart.series
    .map((series) => `${series.label} ${formatValue(chart, series, sums)}`)
    .join(', ')
}

function formatValue({ format }: Chart, { read }: Series, sums: DetailedSums): string {
  const value = read(sums)
  return value === null ? '–' : format(value)
}

const pageOfPoints = 7

function indexAfterKey(
  { key }: KeyboardEvent,
  index: number | undefined,
  count: number,
): number | undefined {
  const last = count - 1
  const within = (next: number) => Math.min(Math.max(next, 0), last)
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return within(index === undefined ? 0 : index + 1)
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(index === undefined ? last : index - 1)
    case 'PageDown':
      return within((index ?? last) - pageOfPoints)
    case 'PageUp':
      return within((index ?? 0) + pageOfPoints)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
