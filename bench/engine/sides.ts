import { LoadClient, median, percentile, type LoadRun, type Reply } from '../load.ts'
import { findModel, type Model } from './models.ts'
import {
  llamaServerFlags,
  startLlamaServer,
  type PeerOptions,
  type ServerSetup,
} from '../peers/llama-server.ts'
import type { Server } from '../process.ts'
import { promptWriter } from './prompts.ts'
import { figure, progress } from '../report.ts'
import { startPipit } from '../service.ts'

/** What llama-server does when nothing is asked for; sent to both. */
export const sampling = { temperature: 0.7, top_k: 40, top_p: 0.95, min_p: 0.05 }

/** One of the services that are compared. */
export type Side = { name: string; client: LoadClient }

/** Pipit first, then the peers: all up at once, asked one after the other. */
export async function withSides<T>(
  model: Model,
  setup: ServerSetup,
  peers: readonly PeerOptions[],
  measure: (sides: Side[]) => Promise<T>,
): Promise<T> {
  const { threads, slots, contextTokens } = setup
  const settings = {
    PIPIT_MODEL: model.path,
    PIPIT_SLOTS: String(slots),
    PIPIT_THREADS: String(threads),
    PIPIT_CONTEXT_TOKENS: String(contextTokens),
    PIPIT_LOG_LEVEL: 'warn',
  }
  const servers: Server[] = []
  const clients: LoadClient[] = []
  try {
    progress(`${model.name}: starting`)
    servers.push(await startPipit({ settings }))
    for (const peer of peers) servers.push(await startLlamaServer(model.path, setup, peer))
    // llama-server ends a connection after each stream, so all get fresh ones.
    clients.push(...servers.map((server) => new LoadClient(server, 'fresh')))
    return await measure(clients.map((client) => ({ name: client.name, client })))
  } finally {
    for (const client of clients) client.close()
    for (const server of servers) await server.stop()
  }
}

/** Sides take turns in going first. */
export function inTurn<T>(sides: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? sides : sides.toReversed()
}

/** One block of Markdown for each model. What fails with one costs the others nothing. */
export async function eachModel(
  wanted: readonly string[],
  measure: (model: Model) => Promise<string>,
): Promise<string> {
  const blocks: string[] = []
  for (const model of wanted.map(findModel)) {
    try {
      blocks.push(`**${model.name}**\n\n${await measure(model)}`)
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      progress(`${model.name} failed: ${text}`)
      blocks.push(`**${model.name}** failed: ${text}`)
      process.exitCode = 1
    }
  }
  return blocks.join('\n\n')
}

/** How each peer was started, for the reader of the result. */
export function commandLines(setup: ServerSetup, peers: readonly PeerOptions[]): string {
  return peers
    .map((peer) => `\`llama-server ${llamaServerFlags(setup, peer).join(' ')}\``)
    .join('\n')
}

/** How many words make a prompt of so many tokens of this model. Warms the sides up as well. */
export async function wordsFor(tokens: number, sides: readonly Side[]): Promise<number> {
  const prompts = promptWriter('size')
  const [few, many] = [Math.round(tokens / 8), Math.round(tokens / 4)]
  const count = async (words: number): Promise<number> => {
    const messages = prompts(0, words)
    const counts: number[] = []
    for (const { client } of sides)
      counts.push((await client.complete({ messages, max_tokens: 1 })).promptTokens)
    if (new Set(counts).size > 1) progress(`Prompts differ: ${counts.join(' and ')} tokens.`)
    return counts[0] ?? NaN
  }
  const atFew = await count(few)
  const atMany = await count(many)
  return Math.round(few + ((tokens - atFew) * (many - few)) / (atMany - atFew))
}

export function firstTokenMs({ startMs, firstMs }: Reply): number {
  return firstMs - startMs
}

/** One figure a round. */
export function firstTokenMedians(runs: readonly LoadRun[]): number[] {
  return runs.map(({ replies }) => median(replies.map(firstTokenMs)))
}

/** Over all rounds. */
export function quantile(
  runs: readonly LoadRun[],
  share: number,
  times: (reply: Reply) => number[],
  digits = 1,
): string {
  return percentile(
    runs.flatMap(({ replies }) => replies.flatMap(times)),
    share,
  ).toFixed(digits)
}

/** Round by round, so that what slowed a round down slowed both. */
export function ratio(ours: readonly number[], theirs: readonly number[]): string {
  return figure(
    ours.map((value, round) => value / (theirs[round] ?? NaN)),
    2,
  )
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
