import type { BenchOptions } from '../options.ts'
import { progress } from '../report.ts'
import type { BenchResult } from '../findings.ts'
import { compareFairness } from './fairness.ts'
import { climb } from './climb.ts'
import { climbFindings } from './climb-findings.ts'
import { climbTable } from './climb-table.ts'
import {
  type LoadedService,
  scriptedTokensPerSecond,
  slots,
  startLoadedLiteLlm,
  startLoadedLlamaServer,
  startLoadedPipit,
} from './services.ts'

/** Sends up to ten times the load that saturates a service, and then less than it can serve. */
export async function benchOverload(options: BenchOptions): Promise<BenchResult> {
  const results: BenchResult[] = [{ markdown: introduction(options), findings: [] }]
  for (const engine of options.engines) {
    const title = engine === 'scripted' ? scriptedTitle : 'The bundled model'
    results.push({ markdown: `**${title}**`, findings: [] })
    for (const [name, start] of sidesOf(engine, options)) {
      progress(`${engine}: ${name}`)
      results.push(await measureSide(name, start, engine, options))
    }
    if (options.sides.includes('fairness')) results.push(await compareFairness(engine, options))
  }
  return {
    markdown: results.map(({ markdown }) => markdown).join('\n\n'),
    findings: results.flatMap(({ findings }) => findings),
  }
}

const scriptedTitle = `The scripted engine: ${slots} slots of ${scriptedTokensPerSecond} tokens/s`

function introduction({ seconds, patienceSeconds, threads }: BenchOptions): string {
  return [
    `Each step lasts ${seconds} s, one after the other without a pause; Poisson arrivals from two client processes, which wait for no`,
    `reply. Clients hang up after ${patienceSeconds} s and do not come back. Six API keys of three accounts (40, 20, 20, 10, 5 and 5 % of the load);`,
    '1–60 sentences, `max_tokens` 16–512, 70 % streamed, no prompt twice. 1× is the rate at which twice as many callers as slots',
    `are served, 100 % the most tokens/s of that and of all steps. ${threads === 1 ? 'One thread' : `${threads} threads`}, ${slots} slots. Times in ms from when a request was due.`,
    'The first token of a stream that its client gave up counts; without one, it took longer than clients wait.',
  ].join('\n')
}

type Start = () => Promise<LoadedService>

function sidesOf(engine: string, options: BenchOptions): [string, Start][] {
  const side = { threads: options.threads, model: options.models[0] ?? 'bundled' }
  const all: [string, Start][] = [
    ['pipit', () => startLoadedPipit(engine, side)],
    ['llama-server', () => startLoadedLlamaServer(side)],
    ['litellm', () => startLoadedLiteLlm(side)],
  ]
  // The peers have no scripted engine.
  return all.filter(
    ([name]) => options.sides.includes(name) && (engine === 'real' || name === 'pipit'),
  )
}

/** Measures one service; only one runs at a time. If a peer cannot be started, the result gives the reason. */
async function measureSide(
  name: string,
  start: Start,
  engine: string,
  options: BenchOptions,
): Promise<BenchResult> {
  let service: LoadedService
  try {
    service = await start()
  } catch (error) {
    if (name === 'pipit') throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { markdown: `${name} did not run: ${reason}`, findings: [] }
  }
  try {
    const measured = await climb(service, options)
    const markdown = climbTable(service.name, measured)
    return { markdown, findings: name === 'pipit' ? climbFindings(engine, measured, options) : [] }
  } finally {
    await service.stop()
  }
}
