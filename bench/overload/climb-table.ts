import { table } from '../report.ts'
import type { Climb } from './climb.ts'
import type { StepFigures } from './measure-steps.ts'

/** Longest acceptable delay of the clients in sending. Beyond it, they may be the cause of a high latency. */
export const lateMsMax = 20
const clientCpuShareMax = 0.85

/** Returns the steps of one service as Markdown. */
export function climbTable(name: string, measured: Climb): string {
  const { peak, steps, recoveryMs, clients, patienceMs } = measured
  const rows = steps.map((step) => row(step, peak.tokensPerSecond, patienceMs))
  return [
    `${name}: peak ${peak.tokensPerSecond.toFixed(0)} tokens/s; 1× is ${peak.repliesPerSecond.toFixed(2)} requests/s. ${recovered(recoveryMs)}`,
    clientNote(steps, clients),
    '',
    table(head, rows),
  ].join('\n')
}

const head = [
  'load',
  'offered/s',
  'good tokens/s',
  '÷ peak',
  'refused',
  'refusal p50',
  'p99',
  'after 1 s',
  'first token p50',
  'p99',
  'given up',
  'broken',
  'not as in the ledger',
  'sent late p99',
  'cores of the front',
  'of the engine',
]

/** Formats a time to first token, which is infinite if the client gave up before. */
export function firstTokenFigure(ms: number, patienceMs: number): string {
  if (Number.isNaN(ms)) return '–'
  return Number.isFinite(ms) ? ms.toFixed(0) : `> ${patienceMs}`
}

function row(step: StepFigures, peak: number, patienceMs: number): string[] {
  const number = (value: number, digits = 0) =>
    Number.isFinite(value) ? value.toFixed(digits) : '–'
  const percent = (share: number) => `${number(100 * share, 1)} %`
  return [
    `${step.factor}×`,
    number(step.offeredPerSecond, 1),
    number(step.goodTokensPerSecond),
    percent(step.goodTokensPerSecond / peak),
    percent(step.refusedShare),
    number(step.refusalP50Ms, 1),
    number(step.refusalP99Ms, 1),
    String(step.refusedLate),
    firstTokenFigure(step.firstP50Ms, patienceMs),
    firstTokenFigure(step.firstP99Ms, patienceMs),
    String(step.abandoned),
    String(step.broken),
    String(step.wrong),
    number(step.lateP99Ms, 1),
    number(step.cores.front ?? NaN, 2),
    number(step.cores.engine, 2),
  ]
}

function recovered(ms: number | undefined): string {
  return ms === undefined
    ? 'After the load dropped, 95 % of the requests were never served again within the step.'
    : `After the load dropped, 95 % of the requests were served again from ${(ms / 1000).toFixed(1)} s on.`
}

function clientNote(steps: readonly StepFigures[], clients: Climb['clients']): string {
  const { cpuShare, loopDelayP99Ms } = clients
  const late = steps.filter(({ lateP99Ms }) => lateP99Ms > lateMsMax)
  const isSaturated = late.length > 0 || cpuShare > clientCpuShareMax
  const named = late.map(({ factor }) => `${factor}×`).join(', ')
  const use = `a client process used ${(100 * cpuShare).toFixed(0)} % of a core, its event loop was up to ${loopDelayP99Ms.toFixed(0)} ms late (p99)`
  if (!isSaturated) return `The clients kept up: ${use}.`
  return `**The clients themselves did not keep up${named === '' ? '' : ` at ${named}`}**, so latencies there are too high: ${use}.`
}
