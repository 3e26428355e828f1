import { runLoad, type LoadClient, type LoadRun, type Reply } from '../load.ts'
import type { Model } from './models.ts'
import type { BenchOptions } from '../options.ts'
import { asByDefault } from '../peers/llama-server.ts'
import { randomWords } from './prompts.ts'
import { figure, progress, table } from '../report.ts'
import {
  commandLines,
  eachModel,
  firstTokenMedians,
  inTurn,
  mean,
  ratio,
  sampling,
  withoutSpeculation,
  withSides,
  wordsFor,
  type Side,
} from './sides.ts'

const sharers = 16
const systemTokens = 1000
const questionWords = 20
const answerTokens = 32

const turns = 6
const turnWords = 30
const turnTokens = 64
const loneConversations = 2
const parallelConversations = 4

const contextTokens = 2048
const ownModels = ['tiny', 'small']
const peers = [asByDefault]

/** Measures prefix reuse: many requests with one system prompt, and conversations. */
export async function benchPrefix({ rounds, threads, models }: BenchOptions): Promise<string> {
  const setup = setupOf(threads)
  return [
    `${sharers} requests at once share a system prompt of about ${systemTokens} tokens; each has a question of ${questionWords} words and gets ${answerTokens} tokens.`,
    `A conversation has ${turns} turns of ${turnWords} words and replies of ${turnTokens} tokens, with its whole history in each request; its turns 2–${turns} count.`,
    `The texts of each round are new, and all requests use one API key; ${JSON.stringify(sampling)}, ${threads} threads, ${sharers} slots; ${rounds} alternating rounds,`,
    `medians (least–most) of rounds, no speculation. Cached: prompt tokens that the server reused, of all prompt tokens; mean.`,
    commandLines(setup, peers),
    '',
    await eachModel(models.length > 0 ? models : ownModels, (model) =>
      withSides(model, setup, peers, (sides) => compare(model, sides, rounds)),
    ),
  ].join('\n')
}

/** Returns the setup of the sides. The peers do not speculate, so neither does Pipit. */
export function setupOf(threads: number) {
  return { threads, slots: sharers, contextTokens, settings: withoutSpeculation }
}

type Case = { name: string; run: (client: LoadClient, seed: string) => Promise<LoadRun> }

async function compare(model: Model, sides: Side[], rounds: number): Promise<string> {
  const systemWords = await wordsFor(systemTokens, sides)
  const cases: Case[] = [
    {
      name: `${sharers} at once, all new`,
      run: (client, seed) => askTogether(client, seed, systemWords),
    },
    {
      name: `${sharers} at once, after one`,
      run: async (client, seed) => {
        await client.stream(question(seed, systemWords, sharers))
        return askTogether(client, seed, systemWords)
      },
    },
    { name: 'conversation, 1 at a time', run: (client, seed) => converse(client, seed, 1) },
    {
      name: `conversations, ${parallelConversations} at a time`,
      run: (client, seed) => converse(client, seed, parallelConversations),
    },
  ]
  const results = cases.map(({ name }) => ({
    name,
    runs: new Map(sides.map((side): [Side, LoadRun[]] => [side, []])),
  }))
  for (let round = 0; round < rounds; round++) {
    for (const [index, { name, run }] of cases.entries()) {
      for (const side of inTurn(sides, round))
        results[index]?.runs.get(side)?.push(await run(side.client, `${round} ${index}`))
      progress(`${model.name}: round ${round + 1}/${rounds}, ${name}`)
    }
  }
  return toTable(results)
}

function question(seed: string, systemWords: number, index: number): object {
  const system = `${seed}. ${randomWords(`system ${seed}`, systemWords)}.`
  const user = `${index}. ${randomWords(`question ${seed} ${index}`, questionWords)}?`
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ]
  return { messages, max_tokens: answerTokens, seed: index + 1, ...sampling }
}

function askTogether(client: LoadClient, seed: string, systemWords: number): Promise<LoadRun> {
  return runLoad(sharers, { count: sharers }, (index) =>
    client.stream(question(seed, systemWords, index)),
  )
}

/** Returns the replies from the second turn on, which can reuse a prefix. */
function converse(client: LoadClient, seed: string, parallel: number): Promise<LoadRun> {
  const count = parallel === 1 ? loneConversations : parallel
  return runLoad(parallel, { count }, async (index) => {
    const messages: { role: string; content: string }[] = []
    const replies: Reply[] = []
    for (let turn = 0; turn < turns; turn++) {
      const said = `conversation ${seed} ${index} turn ${turn}`
      messages.push({ role: 'user', content: `${said}: ${randomWords(said, turnWords)}.` })
      const body = { messages, max_tokens: turnTokens, seed: turn + 1, ...sampling }
      const reply = await client.stream(body)
      messages.push({ role: 'assistant', content: reply.text })
      replies.push(reply)
    }
    return replies.slice(1)
  })
}

function toTable(results: { name: string; runs: Map<Side, LoadRun[]> }[]): string {
  const rows = results.flatMap(({ name, runs }) => {
    const [ours = [], theirs = []] = runs.values()
    const ratios = [
      ratio(firstTokenMedians(ours), firstTokenMedians(theirs)),
      ratio(ours.map(wallSeconds), theirs.map(wallSeconds)),
    ]
    return [...runs].map(([side, taken], index) => [
      name,
      side.name,
      figure(firstTokenMedians(taken)),
      figure(taken.map(wallSeconds), 2),
      cachedOfPrompt(taken),
      ...(index === 0 ? ratios : ['', '']),
    ])
  })
  return table(
    ['', '', 'first token p50, ms', 'wall, s', 'cached', 'first token ÷ peer', 'wall ÷ peer'],
    rows,
  )
}

function wallSeconds({ wallMs }: LoadRun): number {
  return wallMs / 1000
}

function cachedOfPrompt(runs: LoadRun[]): string {
  const replies = runs.flatMap((run) => run.replies)
  const cached = mean(replies.map((reply) => reply.cachedTokens ?? NaN))
  const prompt = mean(replies.map((reply) => reply.promptTokens))
  return `${Number.isNaN(cached) ? 'unknown' : cached.toFixed(0)} of ${prompt.toFixed(0)}`
}
