import { setTimeout as delay } from 'node:timers/promises'
import { median, type LoadClient } from '../load.ts'
import type { Model } from './models.ts'
import type { BenchOptions } from '../options.ts'
import { withoutPromptCache } from '../peers/llama-server.ts'
import { promptWriter } from './prompts.ts'
import { figure, progress, table } from '../report.ts'
import {
  commandLines,
  eachModel,
  firstTokenMs,
  inTurn,
  ratio,
  sampling,
  withSides,
  wordsFor,
  type Side,
} from './sides.ts'

const streams = 4
const longPromptTokens = 1500
const contextTokens = 2048
const shortPromptWords = 10
/** Close to the context window, so that no stream ends before the long prompt has been read. */
const streamTokens = 1900
/** Pieces of text that each stream has received when the long prompt is sent. */
const settledPieces = 16
const waitMaxMs = 60_000
const ownModels = ['tiny', 'small']
const peers = [withoutPromptCache]

/** Measures how much a long prompt delays streams that decode, and the time to its own first token. */
export async function benchStall({ rounds, threads, models }: BenchOptions): Promise<string> {
  const setup = { threads, slots: streams + 1, contextTokens }
  return [
    `${streams} streams decode; when each has had ${settledPieces} pieces of text, a request with a prompt of about ${longPromptTokens} tokens arrives.`,
    `The longest gap is the one between two pieces of any of the ${streams} during the prefill of that prompt. ${JSON.stringify(sampling)},`,
    `${threads} threads, ${setup.slots} slots of ${contextTokens} tokens; ${rounds} alternating rounds, medians (least–most) of rounds, ms.`,
    commandLines(setup, peers),
    '',
    await eachModel(models.length > 0 ? models : ownModels, (model) =>
      withSides(model, setup, peers, (sides) => compare(model, sides, rounds)),
    ),
  ].join('\n')
}

type Stall = { usualGapMs: number; longestGapMs: number; firstTokenMs: number }

async function compare(model: Model, sides: Side[], rounds: number): Promise<string> {
  const words = await wordsFor(longPromptTokens, sides)
  const stalls = new Map(sides.map((side): [Side, Stall[]] => [side, []]))
  for (let round = 0; round < rounds; round++) {
    for (const side of inTurn(sides, round))
      stalls.get(side)?.push(await measureStall(side.client, round, words))
    progress(`${model.name}: round ${round + 1}/${rounds}`)
  }
  return toTable(stalls)
}

async function measureStall(client: LoadClient, round: number, words: number): Promise<Stall> {
  const prompts = promptWriter(`stall ${round}`)
  const ending = new AbortController()
  const pieces = Array.from({ length: streams }, (): number[] => [])
  const watches = pieces.map((times, index) => {
    const messages = prompts(index, shortPromptWords)
    const body = { messages, max_tokens: streamTokens, seed: index + 1, ...sampling }
    return client.watch(body, (nowMs) => times.push(nowMs), ending.signal)
  })
  const watching = Promise.all(watches)
  try {
    await Promise.race([
      watching,
      until(() => pieces.every(({ length }) => length >= settledPieces)),
    ])
    const long = { messages: prompts(streams, words), max_tokens: 1, seed: 1, ...sampling }
    const reply = client.stream(long)
    // A stream that ends too early makes this fail.
    await Promise.race([watching, reply])
    const { startMs, firstMs } = await reply
    // A gap that is in progress at the first token ends only with the next piece.
    await Promise.race([
      watching,
      until(() => pieces.every((times) => Number(times.at(-1)) > firstMs)),
    ])
    return {
      usualGapMs: median(pieces.flatMap((times) => gapsBetween(times, 0, startMs))),
      longestGapMs: Math.max(...pieces.flatMap((times) => gapsBetween(times, startMs, firstMs))),
      firstTokenMs: firstTokenMs(await reply),
    }
  } finally {
    ending.abort()
    await Promise.allSettled(watches)
  }
}

async function until(holds: () => boolean): Promise<void> {
  const startMs = performance.now()
  while (!holds()) {
    if (performance.now() - startMs > waitMaxMs) throw new Error('the streams do not advance')
    await delay(2)
  }
}

/** Returns the gaps that overlap the time range. */
function gapsBetween(times: readonly number[], fromMs: number, toMs: number): number[] {
  return times.flatMap((ms, index) => {
    const before = times[index - 1]
    return before !== undefined && ms > fromMs && before < toMs ? [ms - before] : []
  })
}

function toTable(stalls: Map<Side, Stall[]>): string {
  const [ours = [], theirs = []] = stalls.values()
  const both = (value: (stall: Stall) => number) => ratio(ours.map(value), theirs.map(value))
  const ratios = [both((stall) => stall.longestGapMs), both((stall) => stall.firstTokenMs)]
  return table(
    [
      '',
      'gap before, p50',
      'longest gap',
      'its own first token',
      'gap ÷ peer',
      'first token ÷ peer',
    ],
    [...stalls].map(([side, taken], index) => [
      side.name,
      figure(taken.map((stall) => stall.usualGapMs)),
      figure(taken.map((stall) => stall.longestGapMs)),
      figure(taken.map((stall) => stall.firstTokenMs)),
      ...(index === 0 ? ratios : ['', '']),
    ]),
  )
}
