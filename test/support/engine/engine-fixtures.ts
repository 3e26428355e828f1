import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SlotQueue } from '../../../src/completions/admission/slot-queue.ts'
import {
  EmbeddedEngine,
  type EmbeddedEngineOptions,
} from '../../../src/engine/embedded/embedded-engine.ts'
import type { EmbeddedSettings } from '../../../src/engine/engine-settings.ts'
import type {
  Engine,
  GenerationEvent,
  GenerationRequest,
  Prompt,
} from '../../../src/engine/engine.ts'
import { settingsTable } from '../../../src/settings/settings-table.ts'
import { type RandomModel, randomGguf, textSeed } from '../gguf/random-gguf.ts'

export const never = new AbortController().signal

/** Creates a folder for the models of a test file; the file calls `remove` at its end. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'pipit-engine-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export function randomModelIn(folder: string, options: Partial<RandomModel> = {}): string {
  const path = join(folder, `random-${textSeed(JSON.stringify(options))}.gguf`)
  writeFileSync(path, randomGguf(options))
  return path
}

export async function startEngine(
  settings: Pick<EmbeddedSettings, 'modelPath'> & Partial<EmbeddedSettings>,
  options: EmbeddedEngineOptions = {},
): Promise<EmbeddedEngine> {
  return await EmbeddedEngine.start({ ...engineDefaults, ...settings }, options)
}

/** Settings of an engine for tests. */
export const engineDefaults: Omit<EmbeddedSettings, 'modelPath'> = {
  kind: 'embedded',
  modelSha256: undefined,
  slots: 4,
  contextTokens: undefined,
  kvType: 'f16',
  gpu: 'off',
  // With more threads, a busy test machine slows the engine down by orders of magnitude.
  threads: 1,
  cachedTokens: undefined,
  speculativeTokens: settingsTable.PIPIT_SPECULATIVE_TOKENS.default,
  sandbox: true,
  availableBytes: undefined,
  arithmetic: undefined,
}

const holder = { accountId: 'test', keyId: 'test' }

/** Puts the service's queue in front of an engine, so that a test can request any number of generations. */
export function queued(engine: Engine): Generating {
  const queue = new SlotQueue(engine.info.slots)
  return {
    prepare: (messages, signal) => engine.prepare(messages, signal),
    async *generate(request, signal) {
      const asker = { holder, endUser: '', deadlineMs: Infinity }
      const work = {
        promptTokens: request.prompt.tokens.length,
        outputTokensMax: request.maxTokens,
      }
      const slot = await queue.take(asker, 1, work, signal)
      try {
        yield* engine.generate(request, signal)
      } finally {
        slot.release()
      }
    },
  }
}

type Generating = Pick<Engine, 'prepare' | 'generate'>

export async function say(engine: Pick<Engine, 'prepare'>, content: string): Promise<Prompt> {
  return await engine.prepare([{ role: 'user', content }], never)
}

export function requestFor(
  prompt: Prompt,
  overrides: Partial<Omit<GenerationRequest, 'sampling'>> & {
    temperature?: number
    seed?: number
  } = {},
): GenerationRequest {
  const { temperature = 0, seed = 1, ...rest } = overrides
  const sampling = { temperature, seed, topP: 1, topK: 0, minP: 0 }
  return { prompt, maxTokens: 32, stop: [], cacheScope: 'an account', sampling, ...rest }
}

type Collected = {
  text: string
  deltas: string[]
  tokens: number
  logprobs: number[]
  finish: Extract<GenerationEvent, { type: 'finish' }>
}

/** Collects all events; throws unless exactly one `finish` ends them. */
export async function collect(events: AsyncIterable<GenerationEvent>): Promise<Collected> {
  const deltas: string[] = []
  const logprobs: number[] = []
  let tokens = 0
  let finish: Collected['finish'] | undefined
  for await (const event of events) {
    if (finish !== undefined) throw new Error(`${event.type} after finish`)
    if (event.type === 'finish') finish = event
    else {
      deltas.push(event.text)
      tokens += event.tokens
      logprobs.push(...(event.logprobs ?? []).map(({ logprob }) => logprob))
    }
  }
  if (finish === undefined) throw new Error('no finish')
  return { text: deltas.join(''), deltas, tokens, logprobs, finish }
}

export async function complete(
  engine: Generating,
  content: string,
  overrides: Parameters<typeof requestFor>[1] = {},
): Promise<Collected> {
  return await collect(engine.generate(requestFor(await say(engine, content), overrides), never))
}

/** Polls a condition; throws an error that names `what` if it does not hold in time. */
export async function until(what: string, holds: () => boolean, timeoutMs = 20_000): Promise<void> {
  const endMs = performance.now() + timeoutMs
  while (!holds()) {
    if (performance.now() > endMs) throw new Error(`never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
