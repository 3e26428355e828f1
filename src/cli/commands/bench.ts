import { existsSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { loadConfig } from '../../config.ts'
import type { SlotQueue } from '../../completions/admission/slot-queue.ts'
import { describeEngine } from '../../engine/describe-engine.ts'
import type { Engine, Prompt } from '../../engine/engine.ts'
import { examples } from '../examples.ts'
import { listenForStop } from '../stop-signals.ts'
import { type BenchFigures, keepFigures } from '../../models/bench-figures.ts'
import { withUsedModel } from '../../models/used-model.ts'
import { createLogger } from '../../telemetry/logger.ts'

const callersOfRounds = [1, 4, 8]
const longPromptTokens = 512
const shortPromptTokens = 64
const replyTokensMax = 128
const sampling = { temperature: 0.7, topP: 0.95, topK: 40, minP: 0.05 }

/** The `bench` command, which measures the engine without HTTP and ledger. `bench/` measures the whole service. */
export function benchCommand(): Command {
  return new Command('bench')
    .description('measure the engine on this machine, with the settings that `serve` would use')
    .summary('measure the engine on this machine')
    .addHelpText(
      'after',
      `${examples('bench', 'bench --seconds 30')}\n\nExit code: 0 if all ran, 1 if not, 130 after Ctrl-C, 143 after SIGTERM.`,
    )
    .option('--seconds <n>', 'duration of each of the four measurements', parseSeconds, 7)
    .action(bench)
}

async function bench({ seconds }: { seconds: number }): Promise<void> {
  const config = withUsedModel(loadConfig(process.env), process.env)
  const stopping = listenForStop()
  // Imported here, so that other commands do not load the engine.
  const { createEngine } = await import('../../engine/create-engine.ts')
  const { SlotQueue } = await import('../../completions/admission/slot-queue.ts')
  progress('loading the model')
  const startMs = performance.now()
  let engine: Engine | undefined
  try {
    engine = await createEngine(config.engine, createLogger(config.logLevel))
    const loadMs = performance.now() - startMs
    console.log(describeEngine(config.engine, engine.info))
    console.log(meaning)
    printLine('load', `${(loadMs / 1000).toFixed(2)} s`)
    const queue = new SlotQueue(engine.info.slots, { waitMaxMs: 2 * seconds * 1000 })
    const load = new EngineLoad(engine, queue, seconds, stopping.signal)
    await keepFigures(config.dataDir, config.engine, await measure(load, engine))
  } catch (error) {
    if (!stopping.signal.aborted) throw error
    process.stderr.write('stopped\n')
    process.exitCode = stopping.exitCode
  } finally {
    await engine?.close()
  }
}

async function measure(load: EngineLoad, engine: Engine): Promise<BenchFigures> {
  progress('reading prompts')
  const { promptTokens, tokensPerSecond } = await load.readPrompts()
  printLine('read prompt', `${speed(tokensPerSecond)}, prompts of ${promptTokens} tokens`)
  const speeds: { callers: number; speed: number }[] = []
  for (const callers of callersOfRounds) {
    progress(`generating for ${count(callers)}`)
    const replies = await load.generate(callers)
    if (replies.tokensPerSecond !== undefined)
      speeds.push({ callers, speed: replies.tokensPerSecond })
    const waiting = callers > engine.info.slots ? ', including waiting for a slot' : ''
    printLine(
      count(callers),
      `${speed(replies.tokensPerSecond)}${perCaller(replies.tokensPerSecond, callers)}, first token after ${replies.firstTokenMs?.toFixed(0) ?? '–'} ms${waiting}`,
    )
  }
  printLine('memory', memoryText(engine.pid))
  return {
    measuredMs: Date.now(),
    promptTokensPerSecond: tokensPerSecond,
    tokensPerSecond: speeds,
  }
}

const meaning = `
  Speeds are in tokens per second. A token is about three quarters of an English word.
  First: how fast the engine takes in a prompt, before its reply begins.
  Then: how fast it writes replies to 1, 4 and 8 callers at the same time, together and each,
  and how long a caller waits for the first token (the median).
`

/** Returns a new `Asker` for the queue. All requests of the load have the same end user. */
const loadAsker = () => ({
  holder: { accountId: 'bench', keyId: 'bench' },
  endUser: '',
  deadlineMs: Infinity,
})

/** Puts the engine under different kinds of load, each for the same time. */
class EngineLoad {
  readonly #engine: Engine
  readonly #queue: SlotQueue
  readonly #seconds: number
  readonly #signal: AbortSignal
  #prompts = 0
  #tokensPerWord: number | undefined

  constructor(engine: Engine, queue: SlotQueue, seconds: number, signal: AbortSignal) {
    this.#engine = engine
    this.#queue = queue
    this.#seconds = seconds
    this.#signal = signal
  }

  /** Measures prefill. `tokensPerSecond` is undefined if no prompt was read in time. */
  async readPrompts(): Promise<{ promptTokens: number; tokensPerSecond: number | undefined }> {
    const timeUp = this.#timeUp()
    let [tokens, ms, promptTokens] = [0, 0, 0]
    while (!timeUp.aborted) {
      const prompt = await this.#prompt(longPromptTokens)
      promptTokens = prompt.tokens.length
      const { firstTokenMs } = await this.#reply(prompt, 1, timeUp)
      if (firstTokenMs === undefined) break
      tokens += promptTokens
      ms += firstTokenMs
    }
    this.#signal.throwIfAborted()
    return { promptTokens, tokensPerSecond: ms === 0 ? undefined : (tokens * 1000) / ms }
  }

  /**
   * Measures generation with concurrent callers, each with one request at a time. If the time ends during a reply, its
   * tokens up to then count.
   */
  async generate(
    callers: number,
  ): Promise<{ tokensPerSecond: number | undefined; firstTokenMs: number | undefined }> {
    const timeUp = this.#timeUp()
    const startMs = performance.now()
    const firstTokensMs: number[] = []
    let tokens = 0
    const caller = async () => {
      while (!timeUp.aborted) {
        const prompt = await this.#prompt(shortPromptTokens)
        const reply = await this.#reply(prompt, replyTokensMax, timeUp)
        tokens += reply.tokens
        if (reply.firstTokenMs !== undefined) firstTokensMs.push(reply.firstTokenMs)
      }
    }
    await Promise.all(Array.from({ length: callers }, caller))
    this.#signal.throwIfAborted()
    const seconds = (performance.now() - startMs) / 1000
    return {
      tokensPerSecond: tokens === 0 ? undefined : tokens / seconds,
      firstTokenMs: median(firstTokensMs),
    }
  }

  async #reply(
    prompt: Prompt,
    maxTokens: number,
    signal: AbortSignal,
  ): Promise<{ tokens: number; firstTokenMs: number | undefined }> {
    const startMs = performance.now()
    let tokens = 0
    let firstTokenMs: number | undefined
    const settings = { ...sampling, seed: this.#prompts }
    const request = { prompt, maxTokens, sampling: settings, stop: [], cacheScope: 'bench' }
    // The queue rejects only when the time is up.
    const slot = await this.#queue
      .take(
        loadAsker(),
        1,
        { promptTokens: prompt.tokens.length, outputTokensMax: maxTokens },
        signal,
      )
      .catch(() => undefined)
    try {
      if (slot === undefined) return { tokens, firstTokenMs }
      for await (const event of this.#engine.generate(request, signal)) {
        if (event.type === 'finish') continue
        tokens += event.tokens
        firstTokenMs ??= performance.now() - startMs
      }
    } finally {
      slot?.release()
    }
    return { tokens, firstTokenMs }
  }

  /**
   * Makes a prompt of about this many tokens. No two prompts begin with the same word, so their texts have no prefix in
   * the cache.
   */
  async #prompt(tokens: number): Promise<Prompt> {
    this.#tokensPerWord ??= (await this.#prepare(randomWords(0, 100))).tokens.length / 100
    this.#prompts += 1
    const wanted = Math.min(tokens, this.#engine.info.contextTokens / 4)
    return this.#prepare(randomWords(this.#prompts, Math.ceil(wanted / this.#tokensPerWord)))
  }

  async #prepare(words: string): Promise<Prompt> {
    // The scripted engine never waits, so without this the timer and Ctrl-C would not be handled.
    await nextTurn()
    return this.#engine.prepare([{ role: 'user', content: words }], this.#signal)
  }

  #timeUp(): AbortSignal {
    return AbortSignal.any([this.#signal, AbortSignal.timeout(this.#seconds * 1000)])
  }
}

const vocabulary =
  'river garden morning light road friend letter table winter story green quiet water stone bird window night train music paper market summer rain bridge'.split(
    ' ',
  )

function randomWords(seed: number, count: number): string {
  let state = seed
  const words = Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return vocabulary[(state >>> 16) % vocabulary.length]
  })
  return `${seed}. Write a long story with these words: ${words.join(' ')}.`
}

function speed(tokensPerSecond: number | undefined): string {
  return tokensPerSecond === undefined
    ? 'no result in this time; try a larger --seconds'
    : `${tokensPerSecond.toFixed(tokensPerSecond < 100 ? 1 : 0)} tokens/s`
}

function perCaller(tokensPerSecond: number | undefined, callers: number): string {
  if (tokensPerSecond === undefined || callers === 1) return ''
  return ` together, ${(tokensPerSecond / callers).toFixed(0)} each`
}

function printLine(title: string, text: string): void {
  console.log(`  ${title.padEnd(14)}${text}`)
}

function count(callers: number): string {
  return `${callers} caller${callers === 1 ? '' : 's'}`
}

function progress(what: string): void {
  process.stderr.write(`${what} …\n`)
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** Describes the memory in use. Leaves out the engine's process if the system has no /proc. */
function memoryText(enginePid: number | undefined): string {
  const main = `${megabytes(process.memoryUsage.rss())} in the main process`
  const status = `/proc/${enginePid}/status`
  if (enginePid === undefined || !existsSync(status)) return main
  const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]
  return `${main}, ${megabytes(Number(kibibytes) * 1024)} in the engine process`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MB`
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 600) return seconds
  throw new InvalidArgumentError('Enter a number above 0 and up to 600.')
}
