import type { BenchOptions } from '../options.ts'
import { progress } from '../report.ts'
import { planArrivals, type Step } from './arrivals.ts'
import { sendClosedLoad, sendOpenLoad } from './load-clients.ts'
import {
  goodRates,
  measureSteps,
  type ProcessorSample,
  recoveryMs,
  type StepFigures,
} from './measure-steps.ts'
import { clockMs } from './send-request.ts'
import type { LoadedService } from './services.ts'

/** Results of the steps of one service. */
export type Climb = {
  peak: { tokensPerSecond: number; repliesPerSecond: number }
  steps: StepFigures[]
  /** Time from the drop of the load until requests are served again; undefined if that takes longer than the step. */
  recoveryMs: number | undefined
  clients: { loopDelayP99Ms: number; cpuShare: number }
  /** Time after which a client hangs up. */
  patienceMs: number
}

const factors = [1, 2, 5, 10, 0.7]
const warmUpMs = 5_000
const sampleEveryMs = 1_000
const seed = 20_261_123

/** Finds the load that saturates the service, then raises it to ten times as much and lowers it again. */
export async function climb(service: LoadedService, options: BenchOptions): Promise<Climb> {
  const { url, keys } = service
  const manner = { url, keys, patienceMs: 1000 * options.patienceSeconds }
  const durationMs = 1000 * options.seconds
  const peakMs = warmUpMs + Math.min(durationMs, 30_000)
  const closed = await sendClosedLoad(manner, {
    durationMs: peakMs,
    parallel: 2 * service.slots,
    seed,
  })
  const [fromMs, toMs] = [closed.startMs + warmUpMs, closed.startMs + peakMs]
  const saturated = goodRates(closed.outcomes, fromMs, toMs, service.readLedger())
  progress(`${service.name}: saturated at ${saturated.replies.toFixed(1)} replies/s`)
  if (saturated.replies === 0) throw new Error(`${service.name} served no request`)
  const steps: Step[] = factors.map((factor) => ({
    factor,
    perSecond: factor * saturated.replies,
    // Long enough for the requests that are left from the overload to end.
    durationMs: factor < 1 ? Math.max(durationMs, 35_000) : durationMs,
  }))
  const samples: ProcessorSample[] = []
  const sample = () => samples.push({ atMs: clockMs(), ...service.readProcessorTime() })
  const sampling = setInterval(sample, sampleEveryMs)
  const load = await sendOpenLoad(manner, planArrivals(steps, seed + 1)).finally(() =>
    clearInterval(sampling),
  )
  const isRight = service.readLedger()
  const figures = measureSteps({ ...load, samples }, steps, isRight)
  const endMs = load.startMs + steps.reduce((sum, step) => sum + step.durationMs, 0)
  const droppedMs = endMs - (steps.at(-1)?.durationMs ?? 0)
  const { loopDelayP99Ms, cpuShare } = load
  const mostTokens = figures.map(({ goodTokensPerSecond }) => goodTokensPerSecond)
  return {
    peak: {
      tokensPerSecond: Math.max(saturated.tokens, ...mostTokens),
      repliesPerSecond: saturated.replies,
    },
    steps: figures,
    recoveryMs: recoveryMs(load.outcomes, droppedMs, endMs, isRight),
    clients: { loopDelayP99Ms, cpuShare },
    patienceMs: manner.patienceMs,
  }
}
