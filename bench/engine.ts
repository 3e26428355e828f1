import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LoadClient, percentile, runLoad, type LoadRun, type Reply } from './load.ts'
import type { BenchOptions } from './options.ts'
import { llamaServerFlags, startLlamaServer } from './peers/llama-server.ts'
import type { Server } from './process.ts'
import { promptWriter } from './prompts.ts'
import { bundledShape, tinyModel, writeRandomModel } from './random-gguf.ts'
import { figure, progress, table } from './report.ts'
import { bundledModelPath, startPipit } from './service.ts'

const promptTokens = 128
const completionTokens = 128
const contextTokens = 1024
/** What llama-server does when nothing is asked for; sent to both. */
const sampling = { temperature: 0.7, top_k: 40, top_p: 0.95, min_p: 0.05 }

/** Pipit beside llama-server of the same llama.cpp release: same file, threads, slots and load. */
export async function benchEngine(options: BenchOptions): Promise<string> {
  const { rounds, threads, parallel } = options
  const slots = Math.max(...parallel)
  const setup = { threads, slots, contextTokens }
  const parts = [
    `Prompt about ${promptTokens} tokens, ${completionTokens} generated (fewer when the model ends by itself), ${JSON.stringify(sampling)},`,
    `${threads} threads, ${slots} slots; ${rounds} rounds in turn, medians (least–most) of rounds; times in ms over all rounds.`,
    `Both streamed over HTTP to the same load generator on the same cores; no prompt comes twice.`,
    `\`llama-server ${llamaServerFlags(setup).join(' ')}\``,
  ]
  const models = options.models.length > 0 ? options.models : ownModels()
  for (const model of models)
    parts.push('', `**${basename(model)}**`, '', await compare(model, options))
  return parts.join('\n')
}

function ownModels(): string[] {
  const cached = (name: string) => fileURLToPath(new URL(`.cache/${name}.gguf`, import.meta.url))
  const [tiny, mini] = [cached('random-tiny'), cached('random-mini')]
  writeRandomModel(tiny, tinyModel)
  writeRandomModel(mini, bundledShape())
  return [tiny, mini, bundledModelPath].filter((path) => existsSync(path))
}

type Side = { name: string; client: LoadClient; runs: Map<number, LoadRun[]> }

async function compare(model: string, { rounds, parallel, threads }: BenchOptions) {
  const slots = Math.max(...parallel)
  const settings = {
    PIPIT_MODEL: model,
    PIPIT_SLOTS: String(slots),
    PIPIT_THREADS: String(threads),
    PIPIT_CONTEXT_TOKENS: String(contextTokens),
    PIPIT_LOG_LEVEL: 'warn',
  }
  const servers: Server[] = []
  try {
    servers.push(await startPipit({ settings }))
    servers.push(await startLlamaServer({ modelPath: model, threads, slots, contextTokens }))
    const sides = servers.map((server) => toSide(server, parallel))
    const words = await promptLength(sides)
    for (let round = -1; round < rounds; round++) {
      for (const callers of parallel) {
        for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
          const run = await generate(side.client, callers, { words, round })
          // The first round warms up.
          if (round >= 0) side.runs.get(callers)?.push(run)
        }
      }
      progress(`${basename(model)}: round ${round + 1}/${rounds}`)
    }
    for (const { client } of sides) client.close()
    return toTable(sides, parallel)
  } finally {
    for (const server of servers) await server.stop()
  }
}

function toSide(server: Server, parallel: number[]): Side {
  const runs = new Map<number, LoadRun[]>(parallel.map((callers) => [callers, []]))
  return { name: server.name, client: new LoadClient(server, 'fresh'), runs }
}

/** How many words make a prompt of the wanted length, in this model's tokens. */
async function promptLength(sides: Side[]): Promise<number> {
  const prompts = promptWriter('size')
  const counts = await Promise.all(
    [20, 60].map(async (words) => {
      const messages = prompts(0, words)
      const replies = sides.map(({ client }) => client.complete({ messages, max_tokens: 1 }))
      const [ours = 0, theirs = 0] = (await Promise.all(replies)).map((reply) => reply.promptTokens)
      if (ours !== theirs) progress(`Prompts differ: ${ours} tokens here, ${theirs} at the peer.`)
      return ours
    }),
  )
  const [few = 0, many = 0] = counts
  return Math.round(20 + ((promptTokens - few) * 40) / (many - few))
}

function generate(client: LoadClient, callers: number, { words, round }: Record<string, number>) {
  const prompts = promptWriter(`round ${round} with ${callers}`)
  const count = Math.max(8, callers * 4)
  return runLoad(callers, { count }, (index) =>
    client.stream({
      messages: prompts(index, words ?? 0),
      max_tokens: completionTokens,
      seed: index + 1,
      ...sampling,
    }),
  )
}

const measures: [string, (runs: LoadRun[]) => string][] = [
  ['tokens/s', (runs) => figure(runs.map(tokensPerSecond), 0)],
  ['first token p50', (runs) => quantile(runs, 0.5, (reply) => [reply.firstMs - reply.startMs])],
  ['p99', (runs) => quantile(runs, 0.99, (reply) => [reply.firstMs - reply.startMs])],
  ['gap p50', (runs) => quantile(runs, 0.5, (reply) => reply.gapsMs, 2)],
  ['p99 ', (runs) => quantile(runs, 0.99, (reply) => reply.gapsMs, 2)],
  ['tokens in + out', (runs) => tokenCounts(runs)],
]

function toTable(sides: Side[], parallel: number[]): string {
  const [ours, theirs] = sides
  const rows = parallel.flatMap((callers) => {
    const ratios = ours?.runs.get(callers)?.map((run, round) => {
      const peer = theirs?.runs.get(callers)?.[round]
      return peer === undefined ? NaN : tokensPerSecond(run) / tokensPerSecond(peer)
    })
    return sides.map((side, index) => [
      String(callers),
      side.name,
      ...measures.map(([, measure]) => measure(side.runs.get(callers) ?? [])),
      index === 0 ? figure(ratios ?? [], 2) : '',
    ])
  })
  const head = ['in parallel', '', ...measures.map(([title]) => title.trim()), 'Pipit ÷ peer']
  return table(head, rows)
}

function tokensPerSecond({ replies, wallMs }: LoadRun): number {
  return (replies.reduce((sum, reply) => sum + reply.completionTokens, 0) * 1000) / wallMs
}

function quantile(runs: LoadRun[], share: number, times: (reply: Reply) => number[], digits = 1) {
  const all = runs.flatMap(({ replies }) => replies.flatMap(times))
  return percentile(all, share).toFixed(digits)
}

function tokenCounts(runs: LoadRun[]): string {
  const replies = runs.flatMap((run) => run.replies)
  const mean = (count: (reply: Reply) => number) =>
    (replies.reduce((sum, reply) => sum + count(reply), 0) / replies.length).toFixed(0)
  return `${mean((reply) => reply.promptTokens)} + ${mean((reply) => reply.completionTokens)}`
}
