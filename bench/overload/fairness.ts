import { type BenchResult, engineName } from '../findings.ts'
import type { BenchOptions } from '../options.ts'
import { percentile } from '../load.ts'
import { progress, table } from '../report.ts'
import type { PlannedRequest } from './arrivals.ts'
import { firstTokenFigure } from './climb-table.ts'
import { runTask } from './load-clients.ts'
import type { Manner } from './load-process.ts'
import { firstTokensMs } from './measure-steps.ts'
import { clockMs, type Outcome } from './send-request.ts'
import { startLoadedPipit } from './services.ts'

/** Number of slots, and tokens per second of each, as in the figures of docs/operations.md. */
const fairSlots = 4
const tokensPerSecond = 100
const heavyParallel = 100
const lightCount = 120
const warmUpMs = 8_000
/** Time after which a client hangs up. */
const patienceMs = 60_000

/**
 * Measures the time to first token of a light key beside a heavy key, and of light end users beside a heavy end user.
 */
export async function compareFairness(engine: string, options: BenchOptions): Promise<BenchResult> {
  const side = { threads: options.threads, model: options.models[0] ?? 'bundled' }
  const service = await startLoadedPipit(engine, side, fairSlots, tokensPerSecond)
  try {
    const manner = { url: service.url, keys: service.keys, patienceMs }
    // Lets the service measure the rates of the engine first.
    await sendHeavy(manner, 3_000, 8, heavy())
    progress(`${engine}: a light key alone`)
    const alone = await sendLight(manner, () => light(1))
    progress(`${engine}: a light key beside a heavy one`)
    const keys = await beside(manner, heavy(), () => light(1))
    progress(`${engine}: light end users beside a heavy one`)
    const users = await beside(manner, heavy('heavy'), (index) => light(0, `light-${index % 100}`))
    const byKey = row('another key', keys, alone)
    const byUser = row('100 end users of one key', users, alone)
    const markdown = [
      `Fairness: ${fairSlots} slots; the heavy caller keeps ${heavyParallel} requests running, the light one sends ${lightCount} spread evenly,`,
      `${lightPerSecond} per second. Time to the first token, in ms. The goal is at most twice p99 alone and one residual service.`,
      '',
      table(
        ['light', 'p50', 'p99', 'served', 'service of the heavy one, mean', 'p99', 'goal for p99'],
        [['alone', ...firsts(alone), '', '', ''], byKey, byUser],
      ),
    ].join('\n')
    const sentence = `${engineName(engine, options)}, ${fairSlots} slots: the first token of a light key (p99) took ${firsts(alone)[1]} ms alone and ${byKey[2]} ms beside a key with ${heavyParallel} parallel requests (goal ${byKey.at(-1)} ms); that of light end users beside a heavy one of their key took ${byUser[2]} ms (goal ${byUser.at(-1)} ms).`
    return { markdown, findings: [{ id: 'G3', sentence }] }
  } finally {
    await service.stop()
  }
}

type Beside = { light: Outcome[]; heavy: Outcome[] }

async function beside(
  manner: Manner,
  heavyRequest: PlannedRequest,
  lightRequest: (index: number) => PlannedRequest,
): Promise<Beside> {
  const durationMs = warmUpMs + (1000 * lightCount) / lightPerSecond
  const heavyRun = sendHeavy(manner, durationMs, heavyParallel, heavyRequest)
  await new Promise((resolve) => setTimeout(resolve, warmUpMs))
  const lightOutcomes = await sendLight(manner, lightRequest)
  return { light: lightOutcomes, heavy: await heavyRun }
}

const lightPerSecond = 4

async function sendLight(
  manner: Manner,
  request: (index: number) => PlannedRequest,
): Promise<Outcome[]> {
  const arrivals = Array.from({ length: lightCount }, (_, index) => ({
    // The golden ratio spreads the times, so that no two requests coincide or share a period with the heavy caller.
    atMs: ((index + ((index * 0.618_034) % 1)) * 1000) / lightPerSecond,
    ...request(index),
  }))
  const task = { ...manner, type: 'open' as const, startMs: clockMs() + 1000, arrivals }
  return (await runTask(task)).outcomes
}

async function sendHeavy(
  manner: Manner,
  durationMs: number,
  parallel: number,
  request: PlannedRequest,
): Promise<Outcome[]> {
  const endMs = clockMs() + durationMs
  const task = { ...manner, type: 'closed' as const, endMs, parallel, seed: 7, request }
  return (await runTask(task)).outcomes
}

function heavy(user?: string): PlannedRequest {
  return ask(0, 'Tell a long story about a harbour, a storm and a lost dog.', 256, user)
}

function light(caller: number, user?: string): PlannedRequest {
  return ask(caller, 'Name three birds.', 16, user)
}

function ask(caller: number, content: string, maxTokens: number, user?: string): PlannedRequest {
  const body = {
    model: 'svc-o1-mini',
    messages: [{ role: 'user', content }],
    max_tokens: maxTokens,
    stream: true,
    stream_options: { include_usage: true },
    ...(user === undefined ? {} : { user }),
  }
  return { caller, body }
}

function firsts(outcomes: readonly Outcome[]): string[] {
  const ms = firstTokensMs(outcomes)
  const figures = [percentile(ms, 0.5), percentile(ms, 0.99)].map((value) =>
    firstTokenFigure(value, patienceMs),
  )
  const served = outcomes.filter(({ ending }) => ending === 'whole').length
  return [...figures, `${served} of ${outcomes.length}`]
}

function row(name: string, { light: lightOnes, heavy: heavyOnes }: Beside, alone: Outcome[]) {
  const soloP99Ms = percentile(firstTokensMs(alone), 0.99)
  const soloP50Ms = percentile(firstTokensMs(alone), 0.5)
  // Time from the first token to the end, plus the time to first token of a light request alone.
  const servicesMs = heavyOnes.flatMap(({ ending, firstMs, endMs }) =>
    ending === 'whole' && firstMs !== undefined ? [endMs - firstMs + soloP50Ms] : [],
  )
  const meanMs = servicesMs.reduce((sum, ms) => sum + ms, 0) / servicesMs.length
  const p99Ms = percentile(servicesMs, 0.99)
  const goal = `${(2 * soloP99Ms + meanMs).toFixed(0)}–${(2 * soloP99Ms + p99Ms).toFixed(0)}`
  return [name, ...firsts(lightOnes), meanMs.toFixed(0), p99Ms.toFixed(0), goal]
}
