import { runLoad, type LoadClient, type LoadRun, type Reply } from '../load.ts'
import type { Model } from './models.ts'
import type { BenchOptions } from '../options.ts'
import { withoutPromptCache } from '../peers/llama-server.ts'
import { promptWriter } from './prompts.ts'
import { figure, progress, table } from '../report.ts'
import {
  commandLines,
  eachModel,
  firstTokenMedians,
  firstTokenMs,
  inTurn,
  mean,
  quantile,
  ratio,
  sampling,
  withSides,
  wordsFor,
  type Side,
} from './sides.ts'

const promptTokens = 128
const completionTokens = 128
const contextTokens = 1024
const ownModels = ['tiny', 'small', 'mini', 'bundled']
const peers = [withoutPromptCache]

/** Compares Pipit with llama-server of the same llama.cpp release: same file, threads, slots and load. */
export async function benchEngine(options: BenchOptions): Promise<string> {
  const { rounds, threads, parallel } = options
  const setup = { threads, slots: Math.max(...parallel), contextTokens }
  const wanted = options.models.length > 0 ? options.models : ownModels
  return [
    `Prompt about ${promptTokens} tokens, ${completionTokens} generated (fewer when the model ends by itself), ${JSON.stringify(sampling)},`,
    `${threads} threads, ${setup.slots} slots; ${rounds} alternating rounds, medians (least–most) of rounds; times in ms over all rounds.`,
    `Both stream over HTTP to the same load generator on the same cores; no prompt is sent twice.`,
    commandLines(setup, peers),
    '',
    await eachModel(wanted, (model) =>
      withSides(model, setup, peers, (sides) => compare(model, sides, options)),
    ),
  ].join('\n')
}

async function compare(model: Model, sides: Side[], { rounds, parallel }: BenchOptions) {
  const words = await wordsFor(promptTokens, sides)
  const runs = new Map<string, LoadRun[]>()
  for (let round = -1; round < rounds; round++) {
    for (const callers of parallel) {
      for (const { name, client } of inTurn(sides, round)) {
        // The first round is a warm-up.
        const requests = round < 0 ? callers : requestsOf(model, callers)
        const run = await generate(client, callers, requests, words, round)
        if (round >= 0) push(runs, `${name} ${callers}`, run)
      }
      progress(`${model.name}: round ${round + 1}/${rounds}, ${callers} in parallel`)
    }
  }
  const counts = parallel.map((callers) => requestsOf(model, callers)).join(', ')
  return [
    `Requests a round: ${counts}.`,
    '',
    toTable(sides, parallel, (side, callers) => runs.get(`${side.name} ${callers}`) ?? []),
  ].join('\n')
}

function requestsOf({ isLarge }: Model, callers: number): number {
  return isLarge ? Math.max(3, callers * 2) : Math.max(8, callers * 4)
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  map.set(key, [...(map.get(key) ?? []), value])
}

function generate(
  client: LoadClient,
  callers: number,
  count: number,
  words: number,
  round: number,
): Promise<LoadRun> {
  const prompts = promptWriter(`round ${round} with ${callers}`)
  return runLoad(callers, { count }, (index) =>
    client.stream({
      messages: prompts(index, words),
      max_tokens: completionTokens,
      seed: index + 1,
      ...sampling,
    }),
  )
}

const measures: [string, (runs: LoadRun[]) => string][] = [
  ['tokens/s', (runs) => figure(runs.map(tokensPerSecond), 0)],
  ['first token p50', (runs) => quantile(runs, 0.5, (reply) => [firstTokenMs(reply)])],
  ['p99', (runs) => quantile(runs, 0.99, (reply) => [firstTokenMs(reply)])],
  ['gap p50', (runs) => quantile(runs, 0.5, (reply) => reply.gapsMs, 2)],
  ['p99', (runs) => quantile(runs, 0.99, (reply) => reply.gapsMs, 2)],
  ['tokens in + out', (runs) => tokenCounts(runs)],
]

function toTable(
  sides: Side[],
  parallel: number[],
  runsOf: (side: Side, callers: number) => LoadRun[],
): string {
  const rows = parallel.flatMap((callers) => {
    const [ours = [], theirs = []] = sides.map((side) => runsOf(side, callers))
    const ratios = [
      ratio(ours.map(tokensPerSecond), theirs.map(tokensPerSecond)),
      ratio(firstTokenMedians(ours), firstTokenMedians(theirs)),
    ]
    return sides.map((side, index) => [
      String(callers),
      side.name,
      ...measures.map(([, measure]) => measure(runsOf(side, callers))),
      ...(index === 0 ? ratios : ['', '']),
    ])
  })
  const titles = measures.map(([title]) => title)
  return table(['in parallel', '', ...titles, 'tokens/s ÷ peer', 'first token p50 ÷ peer'], rows)
}

function tokensPerSecond({ replies, wallMs }: LoadRun): number {
  return (replies.reduce((sum, reply) => sum + reply.completionTokens, 0) * 1000) / wallMs
}

function tokenCounts(runs: LoadRun[]): string {
  const replies = runs.flatMap((run) => run.replies)
  const average = (count: (reply: Reply) => number) => mean(replies.map(count)).toFixed(0)
  return `${average((reply) => reply.promptTokens)} + ${average((reply) => reply.completionTokens)}`
}
