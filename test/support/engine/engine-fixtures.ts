import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  EmbeddedEngine,
  type EmbeddedEngineOptions,
  type EmbeddedEngineSettings,
} from '../../../src/engine/embedded/embedded-engine.ts'
import type {
  Engine,
  GenerationEvent,
  GenerationRequest,
  Prompt,
} from '../../../src/engine/engine.ts'
import { type RandomModel, randomGguf } from '../gguf/random-gguf.ts'

export const never = new AbortController().signal

/** Creates a folder for the models of a test file; the file calls `remove` at its end. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'pipit-engine-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export function randomModelIn(folder: string, options: Partial<RandomModel> = {}): string {
  const path = join(folder, `random-${options.seed ?? 1}-${options.contextTokens ?? 512}.gguf`)
  writeFileSync(path, randomGguf(options))
  return path
}

export async function startEngine(
  settings: Pick<EmbeddedEngineSettings, 'modelPath'> & Partial<EmbeddedEngineSettings>,
  options: EmbeddedEngineOptions = {},
): Promise<EmbeddedEngine> {
  // One thread: with more, a busy test machine slows the engine down by orders of magnitude.
  return await EmbeddedEngine.start({ slots: 4, threads: 1, ...settings }, options)
}

export async function say(engine: Engine, content: string): Promise<Prompt> {
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
  finish: Extract<GenerationEvent, { type: 'finish' }>
}

/** Collects all events; throws unless exactly one `finish` ends them. */
export async function collect(events: AsyncIterable<GenerationEvent>): Promise<Collected> {
  const deltas: string[] = []
  let tokens = 0
  let finish: Collected['finish'] | undefined
  for await (const event of events) {
    if (finish !== undefined) throw new Error(`${event.type} after finish`)
    if (event.type === 'finish') finish = event
    else {
      deltas.push(event.text)
      tokens += event.tokens
    }
  }
  if (finish === undefined) throw new Error('no finish')
  return { text: deltas.join(''), deltas, tokens, finish }
}

export async function complete(
  engine: Engine,
  content: string,
  overrides: Parameters<typeof requestFor>[1] = {},
): Promise<Collected> {
  return await collect(engine.generate(requestFor(await say(engine, content), overrides), never))
}

/** Polls a condition; throws with `what` when it does not hold in time. */
export async function until(what: string, holds: () => boolean, timeoutMs = 20_000): Promise<void> {
  const endMs = performance.now() + timeoutMs
  while (!holds()) {
    if (performance.now() > endMs) throw new Error(`never happened: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
