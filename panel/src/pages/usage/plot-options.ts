import type uPlot from 'uplot'
import type { UsageStep } from '../../../../src/protocol/panel-usage.ts'
import { chooseTicks, valueTicks } from './chart-ticks.ts'
import { highestOf, type Chart, type Point, type Series } from './charts.ts'
import { axisLabel } from './point-label.ts'

export type PlotInput = { chart: Chart; points: readonly Point[]; step: UsageStep }
type Size = { width: number; height: number }

const labelWidthPx = 76
const valueAxisPx = 56
const ticksMax = 4

/** Returns uPlot options with equally spaced points: a day of 25 hours is as wide as any other. */
export function plotOptions(
  { chart, points, step }: PlotInput,
  { width, height }: Size,
  styles: CSSStyleDeclaration,
  onIndex: (index: number | undefined) => void,
): uPlot.Options {
  const beginsMs = points.map(({ begin_ms }) => begin_ms)
  const values = valueTicks(highestOf(chart, points), ticksMax)
  const axis = {
    stroke: styles.getPropertyValue('--pipit-soft'),
    font: `12px ${styles.getPropertyValue('--pipit-font')}`,
    ticks: { show: false },
  }
  return {
    width,
    height,
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: chart.form === 'lines' } },
    scales: {
      x: { time: false, range: [-0.5, points.length - 0.5] },
      y: { range: [0, values.at(-1) ?? 1] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        splits: (plot) => chooseTicks(beginsMs, step, Math.floor(plot.width / labelWidthPx)),
        values: (_, splits) => splits.map((index) => axisLabel(beginsMs[index] ?? 0, step)),
      },
      {
        ...axis,
        size: valueAxisPx,
        grid: { stroke: styles.getPropertyValue('--pipit-line'), width: 1 },
        splits: () => values,
        values: (_, splits) => splits.map(chart.formatShort),
      },
    ],
    series: [{}, ...chart.series.map((series) => plotSeries(chart, series, styles))],
    hooks: {
      setCursor: [(plot) => onIndex(plot.cursor.idx ?? undefined)],
      draw: chart.form === 'stack' ? [(plot) => drawStacks(plot, chart.series, styles)] : [],
    },
  }
}

export function plotData({ chart, points }: PlotInput): uPlot.AlignedData {
  return [points.map((_, index) => index), ...chart.series.map(({ read }) => points.map(read))]
}

function plotSeries(chart: Chart, series: Series, styles: CSSStyleDeclaration): uPlot.Series {
  const stroke = styles.getPropertyValue(series.color)
  if (chart.form === 'stack') return { stroke, paths: () => null, points: { show: false } }
  const dash = series.pattern === 'dashed' ? { dash: [6, 4] } : {}
  // A value between two gaps has no line, so it needs a visible point.
  return { stroke, width: 2, points: { show: true, size: 5, fill: stroke }, ...dash }
}

/** Draws one column per point, stacked from the bottom in the order of the series. */
function drawStacks(plot: uPlot, series: readonly Series[], styles: CSSStyleDeclaration): void {
  const { ctx } = plot
  const slotPx = plot.valToPos(1, 'x', true) - plot.valToPos(0, 'x', true)
  const widthPx = Math.max(1, Math.min(slotPx * 0.72, 48 * devicePixelRatio))
  const fills = series.map((one) => fillOf(ctx, one, styles))
  ctx.save()
  for (const index of plot.data[0]) {
    const leftPx = plot.valToPos(index, 'x', true) - widthPx / 2
    let sum = 0
    for (const [place, fill] of fills.entries()) {
      const value = plot.data[place + 1]?.[index] ?? 0
      if (value === 0) continue
      const bottomPx = plot.valToPos(sum, 'y', true)
      sum += value
      const topPx = plot.valToPos(sum, 'y', true)
      ctx.fillStyle = fill
      // At least one pixel, so that small values stay visible.
      ctx.fillRect(leftPx, topPx, widthPx, Math.max(bottomPx - topPx, devicePixelRatio))
    }
  }
  ctx.restore()
}

function fillOf(
  ctx: CanvasRenderingContext2D,
  { color, pattern }: Series,
  styles: CSSStyleDeclaration,
): string | CanvasPattern {
  const ink = styles.getPropertyValue(color)
  if (pattern !== 'hatched') return ink
  return hatching(ctx, ink, styles.getPropertyValue('--pipit-surface')) ?? ink
}

/** Draws diagonal hatching, like the legend's swatch. */
function hatching(ctx: CanvasRenderingContext2D, ink: string, paper: string): CanvasPattern | null {
  const sizePx = Math.round(6 * devicePixelRatio)
  const tile = new OffscreenCanvas(sizePx, sizePx)
  const pen = tile.getContext('2d')
  if (pen === null) return null
  pen.fillStyle = paper
  pen.fillRect(0, 0, sizePx, sizePx)
  pen.strokeStyle = ink
  pen.lineWidth = sizePx / 2.4
  for (const shift of [-sizePx, 0, sizePx]) {
    pen.beginPath()
    pen.moveTo(shift - 1, sizePx + 1)
    pen.lineTo(shift + sizePx + 1, -1)
    pen.stroke()
  }
  return ctx.createPattern(tile, 'repeat')
}
