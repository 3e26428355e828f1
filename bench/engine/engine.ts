import { runLoad, type LoadRun, type Reply } from '../load.ts'
import { copierWords } from './endless-model.ts'
import type { Model } from './models.ts'
import type { BenchOptions } from '../options.ts'
import { ikLlama, withoutPromptCache, type PeerOptions } from '../peers/llama-server.ts'
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
  withoutSpeculation,
  withSides,
  wordsFor,
  type Side,
} from './sides.ts'

const promptTokens = 128
const completionTokens = 128
const contextTokens = 1024
const copiedWords = 120

/** One comparison. The kernels are compared without speculation, because a random model repeats itself. */
type Case = {
  title: string
  models: readonly string[]
  sampling: Readonly<Record<string, number>>
  speculates: boolean
  copies?: true
}

const cases: readonly Case[] = [
  {
    title: 'No speculation',
    models: ['tiny', 'small', 'mini', 'bundled'],
    sampling,
    speculates: false,
  },
  {
    title: 'No speculation, top-p without top-k',
    models: ['tiny', 'small'],
    sampling: { temperature: 0.7, top_k: 0, top_p: 0.95, min_p: 0 },
    speculates: false,
  },
  {
    title: 'Speculation, text that does not repeat',
    models: ['tiny-varied', 'small-varied'],
    sampling,
    speculates: true,
  },
  {
    title: 'Speculation, text copied from the prompt',
    models: ['tiny-copier', 'small-copier'],
    sampling,
    speculates: true,
    copies: true,
  },
]

const speculatingPeer: PeerOptions = {
  name: 'llama-server, ngram-simple',
  flags: [...withoutPromptCache.flags, '--spec-type', 'ngram-simple'],
}

/** Compares Pipit with llama-server of the same llama.cpp release: same file, threads, slots and load. */
export async function benchEngine(options: BenchOptions): Promise<string> {
  const { rounds, threads, parallel } = options
  const setup = { threads, slots: Math.max(...parallel), contextTokens }
  const blocks: string[] = []
  // Nothing is known of the text of other models: random ones repeat themselves, which speculation predicts.
  const wanted = options.models.length === 0 ? cases : cases.filter((one) => !one.speculates)
  for (const one of wanted) blocks.push(await benchCase(one, setup, options))
  return [
    `Prompt about ${promptTokens} tokens, ${completionTokens} generated (fewer when the model ends by itself),`,
    `${threads} threads, ${setup.slots} slots; ${rounds} alternating rounds, medians (least–most) of rounds; times in ms over all rounds.`,
    `Both stream over HTTP to the same load generator on the same cores; no prompt is sent twice.`,
    `Tokens a step: completion tokens of one reply for each step of the engine; more than 1 with accepted speculation.`,
    ...(wanted === cases ? [] : ['Cases with speculation were not run.']),
    commandLines(setup, peersOf(false, options)),
    ...blocks,
  ].join('\n')
}

async function benchCase(
  one: Case,
  setup: { threads: number; slots: number; contextTokens: number },
  options: BenchOptions,
): Promise<string> {
  const wanted = options.models.length === 0 ? one.models : options.models
  const settings: Record<string, string> = one.speculates ? {} : withoutSpeculation
  const peers = peersOf(one.speculates, options)
  const blocks = await eachModel(wanted, (model) =>
    withSides(model, { ...setup, settings }, peers, (sides) => compare(one, model, sides, options)),
  )
  return `\n### ${one.title}\n${JSON.stringify(one.sampling)}\n\n${blocks}`
}

/** Returns the peers of a case. ik_llama.cpp is compared by its kernels alone, without speculation. */
function peersOf(speculates: boolean, { ikServer }: BenchOptions): PeerOptions[] {
  if (speculates) return [withoutPromptCache, speculatingPeer]
  return ikServer === undefined ? [withoutPromptCache] : [withoutPromptCache, ikLlama(ikServer)]
}

type Measured = LoadRun & { tokensPerStep: number }

async function compare(
  one: Case,
  model: Model,
  sides: Side[],
  { rounds, parallel }: BenchOptions,
): Promise<string> {
  const words = await wordsFor(promptTokens, sides)
  const runs = new Map<string, Measured[]>()
  for (let round = -1; round < rounds; round++) {
    for (const callers of parallel) {
      for (const side of inTurn(sides, round)) {
        // The first round is a warm-up.
        const count = round < 0 ? callers : requestsOf(model, callers)
        const run = await generate(one, side, { callers, count, words, round })
        if (round >= 0) push(runs, `${side.name} ${callers}`, run)
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

type Load = { callers: number; count: number; words: number; round: number }

async function generate(
  { sampling: options, copies }: Case,
  { client, speculativeTokens }: Side,
  { callers, count, words, round }: Load,
): Promise<Measured> {
  const prompts = promptWriter(`round ${round} with ${callers}`)
  const copied = copierWords.slice(0, copiedWords).join(' ')
  const before = await speculativeTokens?.()
  const run = await runLoad(callers, { count }, (index) =>
    client.stream({
      messages: copies
        ? [{ role: 'user', content: `${index} ${round} ${callers}. Repeat: ${copied}` }]
        : prompts(index, words),
      max_tokens: completionTokens,
      seed: index + 1,
      ...options,
    }),
  )
  const after = await speculativeTokens?.()
  const total = sum(run.replies.map((reply) => reply.completionTokens))
  const accepted =
    after === undefined || before === undefined
      ? sum(run.replies.map((reply) => reply.speculativeTokens ?? NaN))
      : after - before
  return { ...run, tokensPerStep: total / (total - accepted) }
}

const measures: [string, (runs: Measured[]) => string][] = [
  ['tokens/s', (runs) => figure(runs.map(tokensPerSecond), 0)],
  ['tokens a step', (runs) => mean(runs.map(({ tokensPerStep }) => tokensPerStep)).toFixed(2)],
  ['first token p50', (runs) => quantile(runs, 0.5, (reply) => [firstTokenMs(reply)])],
  ['p99', (runs) => quantile(runs, 0.99, (reply) => [firstTokenMs(reply)])],
  ['gap p50', (runs) => quantile(runs, 0.5, (reply) => reply.gapsMs, 2)],
  ['p99', (runs) => quantile(runs, 0.99, (reply) => reply.gapsMs, 2)],
  ['tokens in + out', (runs) => tokenCounts(runs)],
]

function toTable(
  sides: Side[],
  parallel: number[],
  runsOf: (side: Side, callers: number) => Measured[],
): string {
  const rows = parallel.flatMap((callers) => {
    const [ours = [], ...others] = sides.map((side) => runsOf(side, callers))
    return sides.map((side, index) => {
      const theirs = others[index - 1]
      const ratios = theirs && [
        ratio(ours.map(tokensPerSecond), theirs.map(tokensPerSecond)),
        ratio(firstTokenMedians(ours), firstTokenMedians(theirs)),
      ]
      const taken = runsOf(side, callers)
      const figures = measures.map(([, measure]) => measure(taken))
      return [String(callers), side.name, ...figures, ...(ratios ?? ['', ''])]
    })
  })
  const titles = measures.map(([title]) => title)
  const ratioTitles = ['Pipit ÷ it: tokens/s', 'first token p50']
  return table(['in parallel', '', ...titles, ...ratioTitles], rows)
}

function tokensPerSecond({ replies, wallMs }: LoadRun): number {
  return (sum(replies.map((reply) => reply.completionTokens)) * 1000) / wallMs
}

function tokenCounts(runs: LoadRun[]): string {
  const replies = runs.flatMap((run) => run.replies)
  const average = (count: (reply: Reply) => number) => mean(replies.map(count)).toFixed(0)
  return `${average((reply) => reply.promptTokens)} + ${average((reply) => reply.completionTokens)}`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
