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
import { startPipit, type Service } from '../service.ts'

/** Sampling defaults of llama-server, sent to all sides. */
export const sampling = { temperature: 0.7, top_k: 40, top_p: 0.95, min_p: 0.05 }

/** Settings of Pipit for a comparison with a peer that does not speculate. */
export const withoutSpeculation = { PIPIT_SPECULATIVE_TOKENS: '0' }

/** One of the compared services. */
export type Side = {
  name: string
  client: LoadClient
  /** Returns the number of completion tokens accepted from speculation so far. Only Pipit has this count. */
  speculativeTokens?: () => Promise<number>
}

type SidesSetup = ServerSetup & {
  /** Further settings of Pipit. */
  settings?: Readonly<Record<string, string>>
}

/** Starts Pipit and then the peers. All run at the same time and are measured one after the other. */
export async function withSides<T>(
  model: Model,
  setup: SidesSetup,
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
    ...setup.settings,
  }
  const servers: Server[] = []
  const clients: LoadClient[] = []
  try {
    progress(`${model.name}: starting`)
    const pipit = await startPipit({ settings })
    servers.push(pipit)
    for (const peer of peers) servers.push(await startLlamaServer(model.path, setup, peer))
    // llama-server closes its connection after each stream, so every side gets fresh connections.
    clients.push(...servers.map((server) => new LoadClient(server, 'fresh')))
    const [ours, ...others] = clients.map((client) => ({ name: client.name, client }))
    if (ours === undefined) throw new Error('no side was started')
    return await measure([{ ...ours, speculativeTokens: () => readSpeculative(pipit) }, ...others])
  } finally {
    for (const client of clients) client.close()
    for (const server of servers) await server.stop()
  }
}

async function readSpeculative({ metricsUrl }: Service): Promise<number> {
  const text = await (await fetch(metricsUrl)).text()
  return Number(/^pipit_engine_speculative_tokens_total (\d+)$/m.exec(text)?.[1])
}

/** Returns the sides in the order of this round. Every other round reverses it. */
export function inTurn<T>(sides: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? sides : sides.toReversed()
}

/** Returns one block of Markdown for each model. A failure with one model does not stop the others. */
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

/** Returns the command line of each peer, as text for the result. */
export function commandLines(setup: ServerSetup, peers: readonly PeerOptions[]): string {
  return peers
    .map((peer) => `${peer.name}: \`llama-server ${llamaServerFlags(setup, peer).join(' ')}\``)
    .join('\n')
}

/** Estimates how many words make a prompt of `tokens` tokens. It warms the sides up as well. */
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

/** Returns each round's median time to first token. */
export function firstTokenMedians(runs: readonly LoadRun[]): number[] {
  return runs.map(({ replies }) => median(replies.map(firstTokenMs)))
}

/** Returns a quantile of the replies' times in all rounds, as text. */
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

/** Divides round by round, so that a slow moment of the machine affects both sides of a ratio. */
export function ratio(ours: readonly number[], theirs: readonly number[]): string {
  return figure(
    ours.map((value, round) => value / (theirs[round] ?? NaN)),
    2,
  )
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
