import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findModel } from '../engine/models.ts'
import { type BenchResult, engineName, type Finding } from '../findings.ts'
import type { BenchOptions } from '../options.ts'
import { sendClosedLoad } from '../overload/load-clients.ts'
import type { Outcome } from '../overload/send-request.ts'
import { percentile } from '../load.ts'
import { progress, table } from '../report.ts'
import { bundledModelPath, startPipit, type Service } from '../service.ts'
import { drawSoak } from './picture.ts'
import { csvHead, csvLine, readSample, slopeMibPerHour, type Sample } from './samples.ts'

const slots = 4
/** Twice as many callers as slots, so that requests always wait. */
const callers = 2 * slots
const disconnectShare = 0.2
const sampleMs = 5_000
const sliceMs = 60_000
const csvPath = fileURLToPath(new URL('../.cache/soak.csv', import.meta.url))
const picturePath = fileURLToPath(new URL('../../docs/images/soak.svg', import.meta.url))

/** Records memory, descriptors, timers and event-loop delay of a saturated service whose clients often hang up. */
export async function benchSoak(options: BenchOptions): Promise<BenchResult> {
  const { models, threads, minutes } = options
  const { path: modelPath } = findModel(models[0] ?? 'bundled')
  const model = modelPath === bundledModelPath ? {} : { PIPIT_MODEL: modelPath }
  const settings = {
    ...model,
    PIPIT_THREADS: String(threads),
    PIPIT_SLOTS: String(slots),
    PIPIT_LOG_LEVEL: 'warn',
  }
  const service = await startPipit({ settings })
  try {
    const { samples, outcomes } = await run(service, minutes)
    const slopes = slopesOf(samples)
    writeFileSync(picturePath, drawSoak(samples, slopes))
    const report = { minutes, samples, outcomes, slopes }
    return { markdown: describe(report), findings: findingsOf(report, options) }
  } finally {
    await service.stop()
  }
}

type Counts = Record<Outcome['ending'], number>
type Slopes = { front: number; engine: number }

async function run(
  service: Service,
  minutes: number,
): Promise<{ samples: Sample[]; outcomes: Counts }> {
  const manner = { url: service.url, keys: [service.key], patienceMs: 60_000 }
  const outcomes: Counts = { whole: 0, refused: 0, abandoned: 0, broken: 0 }
  const samples: Sample[] = []
  mkdirSync(new URL('../.cache', import.meta.url), { recursive: true })
  writeFileSync(csvPath, `${csvHead}\n`)
  const startMs = performance.now()
  const endMs = startMs + 60_000 * minutes
  let isOver = false
  const sampling = sampleUntil(
    () => isOver,
    async () => {
      const sample = await readSample(service, performance.now() - startMs)
      samples.push(sample)
      appendFileSync(csvPath, `${csvLine(sample)}\n`)
    },
  )
  try {
    for (let slice = 1; performance.now() < endMs; slice += 1) {
      const durationMs = Math.min(sliceMs, endMs - performance.now())
      const load = { durationMs, parallel: callers, seed: slice, disconnectShare }
      const done = await sendClosedLoad(manner, load)
      for (const { ending } of done.outcomes) outcomes[ending] += 1
      progress(`${slice} min: ${outcomes.whole} whole, ${outcomes.abandoned} hung up`)
    }
  } finally {
    isOver = true
    await sampling
  }
  return { samples, outcomes }
}

async function sampleUntil(isOver: () => boolean, sample: () => Promise<void>): Promise<void> {
  while (!isOver()) {
    await sample()
    await new Promise((resolve) => setTimeout(resolve, sampleMs))
  }
}

/**
 * Returns the slopes of memory use. They leave out the start of the run: the first half of a short one, or the first
 * hour of a long one.
 */
function slopesOf(samples: readonly Sample[]): Slopes {
  const lastMs = samples.at(-1)?.atMs ?? 0
  const fromMs = Math.min(lastMs / 2, 3_600_000)
  const settled = samples.filter(({ atMs }) => atMs >= fromMs)
  return {
    front: slopeMibPerHour(settled, ({ frontBytes }) => frontBytes),
    engine: slopeMibPerHour(settled, ({ engineBytes }) => engineBytes),
  }
}

type Report = { minutes: number; samples: Sample[]; outcomes: Counts; slopes: Slopes }

function describe({ minutes, samples, outcomes, slopes }: Report): string {
  const delays = samples.map(({ loopP99Ms }) => loopP99Ms)
  const { whole, refused, abandoned, broken } = outcomes
  return [
    `${minutes} minutes with the bundled model on ${slots} slots; ${callers} callers, mixed lengths, each request on a new connection. Clients hang up at`,
    `random times, ${((100 * abandoned) / (whole + abandoned)).toFixed(1)} % of all requests. ${whole} whole replies, ${abandoned} hung up, ${refused} refused, ${broken} broken. Slopes ${spanOf(minutes)}, by least squares:`,
    `front ${slopes.front.toFixed(1)} MiB/h, engine ${slopes.engine.toFixed(1)} MiB/h. Event-loop delay of the front, p99 of each ${sampleMs / 1000} s: median ${percentile(delays, 0.5).toFixed(1)} ms, largest ${Math.max(...delays).toFixed(1)} ms.`,
    '',
    table(
      ['minute', 'front RSS, MiB', 'engine RSS', 'descriptors', 'timers', 'loop p50, ms', 'p99'],
      tenOf(samples).map((sample) => [
        (sample.atMs / 60_000).toFixed(1),
        (sample.frontBytes / 2 ** 20).toFixed(1),
        (sample.engineBytes / 2 ** 20).toFixed(1),
        String(sample.descriptors),
        String(sample.timers),
        sample.loopP50Ms.toFixed(1),
        sample.loopP99Ms.toFixed(1),
      ]),
    ),
    '',
    '![memory and event-loop delay](../docs/images/soak.svg)',
  ].join('\n')
}

function findingsOf(
  { minutes, samples, outcomes, slopes }: Report,
  options: BenchOptions,
): Finding[] {
  const delays = samples.map(({ loopP99Ms }) => loopP99Ms)
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return []
  const mebibytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0)
  const name = `A soak. ${engineName('real', options)}`
  const from = spanOf(minutes)
  return [
    {
      id: 'G4',
      sentence: `${name}: ${minutes} minutes at saturation, ${100 * disconnectShare} % of clients hang up: memory of the service grew by ${slopes.front.toFixed(1)} MiB/h ${from}, that of the engine by ${slopes.engine.toFixed(1)} MiB/h; event-loop delay p99 of 5 s ${percentile(delays, 0.5).toFixed(1)} ms (median), ${Math.max(...delays).toFixed(1)} ms (largest).`,
    },
    {
      id: 'F25',
      sentence: `${name}: ${minutes} minutes at saturation, ${outcomes.whole} whole replies, ${outcomes.abandoned} hung up, ${outcomes.refused} refused, ${outcomes.broken} broken; from start to end the service went from ${mebibytes(first.frontBytes)} to ${mebibytes(last.frontBytes)} MiB, the engine from ${mebibytes(first.engineBytes)} to ${mebibytes(last.engineBytes)} MiB, descriptors from ${first.descriptors} to ${last.descriptors}, timers from ${first.timers} to ${last.timers}.`,
    },
  ]
}

/** Returns up to eleven samples at even intervals, from the first one to the last. */
function tenOf(samples: readonly Sample[]): Sample[] {
  const last = samples.length - 1
  const places = new Set(Array.from({ length: 11 }, (_, part) => Math.round((part * last) / 10)))
  return samples.filter((_, index) => places.has(index))
}

/** Returns the part of a run over which the slopes are. */
function spanOf(minutes: number): string {
  return minutes > 120 ? 'after the first hour' : 'in the second half'
}
