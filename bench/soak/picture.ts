import type { Sample } from './samples.ts'

const width = 760
const panelHeight = 150
const left = 60
const right = 130
const gap = 46

type Series = { name: string; colour: string; values: readonly number[] }
type Panel = { title: string; series: readonly Series[] }

/** Draws memory, descriptors and timers, and event-loop delay over time, as SVG. */
export function drawSoak(
  samples: readonly Sample[],
  slopes: { front: number; engine: number },
): string {
  const minutes = samples.map(({ atMs }) => atMs / 60_000)
  const of = (read: (sample: Sample) => number) => samples.map(read)
  const slope = (value: number) => `${value.toFixed(1)} MiB/h`
  const panels: Panel[] = [
    {
      title: 'Resident memory, MiB',
      series: [
        {
          name: `front, ${slope(slopes.front)}`,
          colour: '#1c7ed6',
          values: of(({ frontBytes }) => frontBytes / 2 ** 20),
        },
        {
          name: `engine, ${slope(slopes.engine)}`,
          colour: '#e8590c',
          values: of(({ engineBytes }) => engineBytes / 2 ** 20),
        },
      ],
    },
    {
      title: 'Descriptors and timers',
      series: [
        { name: 'descriptors', colour: '#1c7ed6', values: of(({ descriptors }) => descriptors) },
        { name: 'timers', colour: '#e8590c', values: of(({ timers }) => timers) },
      ],
    },
    {
      title: 'Event-loop delay of the front, ms',
      series: [
        { name: 'p99', colour: '#e8590c', values: of(({ loopP99Ms }) => loopP99Ms) },
        { name: 'p50', colour: '#1c7ed6', values: of(({ loopP50Ms }) => loopP50Ms) },
      ],
    },
  ]
  const height = panels.length * (panelHeight + gap) + 24
  const drawn = panels.map((panel, index) =>
    drawPanel(panel, minutes, 24 + index * (panelHeight + gap)),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...drawn,
    `<text x="${left}" y="${height - 8}" fill="#495057">minutes</text>`,
    '</svg>\n',
  ].join('\n')
}

function drawPanel({ title, series }: Panel, minutes: readonly number[], top: number): string {
  const most = 1.1 * Math.max(1, ...series.flatMap(({ values }) => values))
  const last = Math.max(1e-9, ...minutes)
  const plot = width - left - right
  const x = (minute: number) => (left + (plot * minute) / last).toFixed(1)
  const y = (value: number) => (top + panelHeight * (1 - value / most)).toFixed(1)
  const ticks = [0, 0.5, 1].map((share) => share * most)
  return [
    `<text x="${left}" y="${top - 6}" font-weight="bold" fill="#212529">${title}</text>`,
    ...ticks.map(
      (tick) =>
        `<path d="M${left} ${y(tick)}H${left + plot}" stroke="#dee2e6"/><text x="${left - 6}" y="${y(tick)}" text-anchor="end" fill="#495057">${tick.toFixed(tick < 10 ? 1 : 0)}</text>`,
    ),
    ...[0, 0.5, 1].map(
      (share) =>
        `<text x="${x(share * last)}" y="${top + panelHeight + 15}" text-anchor="middle" fill="#495057">${(share * last).toFixed(1)}</text>`,
    ),
    ...series.map(({ name, colour, values }, index) => {
      const points = values.map((value, at) => `${x(minutes[at] ?? 0)},${y(value)}`).join(' ')
      const label = `<text x="${left + plot + 8}" y="${top + 14 + 16 * index}" fill="${colour}">${name}</text>`
      return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="1.5"/>${label}`
    }),
  ].join('\n')
}
