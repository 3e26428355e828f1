import { runLoad, type LoadRun, type Reply } from '../load.ts'
import type { Model } from './models.ts'
import type { BenchOptions } from '../options.ts'
import { withoutPromptCache } from '../peers/llama-server.ts'
import { randomSentences } from './prompts.ts'
import { copierWords } from './endless-model.ts'
import { figure, progress, table } from '../report.ts'
import { commandLines, eachModel, inTurn, mean, ratio, withSides, type Side } from './sides.ts'

const repliesPerRound = 4
const repliesPerRoundOfLarge = 2
const replyTokensMax = 192
const contextTokens = 2048
const ownModels = ['bundled', 'tiny-copier', 'small-copier']
const peers = [
  withoutPromptCache,
  {
    name: 'llama-server, ngram-simple',
    flags: [...withoutPromptCache.flags, '--spec-type', 'ngram-simple'],
  },
]

/** Measures speculative tokens that are copied from the prompt. */
export async function benchLookup({ rounds, threads, models }: BenchOptions): Promise<string> {
  const setup = { threads, slots: 1, contextTokens }
  return [
    `One request at a time, temperature 0, at most ${replyTokensMax} tokens; ${repliesPerRound} replies a round (${repliesPerRoundOfLarge} of a large model), ${threads} threads; ${rounds} alternating rounds,`,
    `medians (least–most) of rounds. Tokens/s: from the first piece of a reply to its end. Copied: runs of three words of the reply`,
    `that are also in the prompt. A \`-copier\` has random weights and repeats the ${copierPromptWords} words of its prompt;`,
    `with "nothing to copy" its prompt holds other words.`,
    commandLines(setup, peers),
    '',
    await eachModel(models.length > 0 ? models : ownModels, (model) =>
      withSides(model, setup, peers, (sides) => compare(model, sides, rounds)),
    ),
  ].join('\n')
}

type Task = { name: string; prompt: (seed: string) => string }

const copierPromptWords = 220

const copierTasks: Task[] = [
  {
    name: 'copy',
    prompt: (seed) => `${seed}. Repeat: ${copierWords.slice(0, copierPromptWords).join(' ')}`,
  },
  { name: 'nothing to copy', prompt: (seed) => `${seed}. ${randomSentences(seed, 16).join(' ')}` },
]

const tasks: Task[] = [
  { name: 'repeat', prompt: (seed) => `Repeat this text: ${randomSentences(seed, 5).join(' ')}` },
  {
    name: 'copy a list',
    prompt: (seed) =>
      `Copy the list below.\n\n${randomSentences(seed, 6)
        .map((sentence) => `- ${sentence}`)
        .join('\n')}`,
  },
  {
    name: 'summarise',
    prompt: (seed) =>
      `Summarise this text in two sentences.\n\n${randomSentences(seed, 10).join(' ')}`,
  },
]

type Result = { task: Task; runs: Map<Side, Copying[]> }
type Copying = LoadRun & { copiedShares: number[] }

async function compare(model: Model, sides: Side[], rounds: number): Promise<string> {
  const results = (model.name.endsWith('-copier') ? copierTasks : tasks).map((task): Result => ({
    task,
    runs: new Map(sides.map((side) => [side, []])),
  }))
  for (let round = -1; round < rounds; round++) {
    for (const { task, runs } of results) {
      for (const side of inTurn(sides, round)) {
        // The first round is a warm-up.
        const count = round < 0 ? 1 : model.isLarge ? repliesPerRoundOfLarge : repliesPerRound
        const run = await ask(side, task, count, round)
        if (round >= 0) runs.get(side)?.push(run)
      }
    }
    progress(`${model.name}: round ${round + 1}/${rounds}`)
  }
  return toTable(results)
}

async function ask({ client }: Side, task: Task, count: number, round: number): Promise<Copying> {
  const copiedShares: number[] = []
  const run = await runLoad(1, { count }, async (index) => {
    const content = task.prompt(`${round} ${index}`)
    const messages = [{ role: 'user', content }]
    const reply = await client.stream({ messages, max_tokens: replyTokensMax, temperature: 0 })
    copiedShares.push(copiedShare(reply.text, content))
    return reply
  })
  return { ...run, copiedShares }
}

function copiedShare(reply: string, prompt: string): number {
  const known = new Set(wordRuns(prompt))
  const runs = wordRuns(reply)
  return runs.filter((run) => known.has(run)).length / Math.max(1, runs.length)
}

function wordRuns(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean)
  return words.slice(2).map((_, index) => words.slice(index, index + 3).join(' '))
}

function toTable(results: Result[]): string {
  const rows = results.flatMap(({ task, runs }) => {
    const peer = [...runs].find(([{ name }]) => name === withoutPromptCache.name)
    const peerSpeeds = (peer?.[1] ?? []).map(replySpeed)
    return [...runs].map(([side, taken]) => [
      task.name,
      side.name,
      figure(taken.map(replySpeed), 0),
      ratio(taken.map(replySpeed), peerSpeeds),
      figure(
        taken.map(({ replies }) => mean(replies.map(wholeMs))),
        0,
      ),
      mean(replyTokens(taken)).toFixed(0),
      `${(mean(taken.flatMap((run) => run.copiedShares)) * 100).toFixed(0)} %`,
    ])
  })
  return table(['', '', 'tokens/s', '÷ llama-server', 'whole reply, ms', 'tokens', 'copied'], rows)
}

function replySpeed({ replies }: LoadRun): number {
  const ms = replies.reduce((sum, { firstMs, endMs }) => sum + endMs - firstMs, 0)
  const tokens = replies.reduce((sum, { completionTokens }) => sum + completionTokens - 1, 0)
  return (tokens * 1000) / ms
}

function wholeMs({ startMs, endMs }: Reply): number {
  return endMs - startMs
}

function replyTokens(runs: LoadRun[]): number[] {
  return runs.flatMap(({ replies }) => replies.map(({ completionTokens }) => completionTokens))
}
