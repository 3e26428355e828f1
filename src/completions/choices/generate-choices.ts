import type { Engine, GenerationEvent, GenerationRequest } from '../../engine/engine.ts'

/** An event of one choice. `index` is absent if the request has only one choice. */
export type ChoiceEvent = GenerationEvent & { index?: number }

type Width = {
  choices: number
  /** Returns the number of slots that the request holds, which may change. */
  slots: () => number
}
type Generation = AsyncIterator<GenerationEvent, void>
type Step = { index: number; generation: Generation } & (
  | { result: IteratorResult<GenerationEvent, void> }
  | { error: unknown }
)

/**
 * Generates several choices of one prompt and merges their events. Choice i adds i to the seed. At most `slots` choices
 * run at a time. Later ones reuse the prompt that the first has put into the KV cache. If a choice fails, the others
 * are aborted. The error is thrown only after all their events.
 */
export function generateChoices(
  engine: Pick<Engine, 'generate'>,
  request: GenerationRequest,
  width: Width,
  signal: AbortSignal,
): AsyncIterable<ChoiceEvent> {
  return width.choices === 1
    ? engine.generate(request, signal)
    : mergeChoices(engine, request, width, signal)
}

async function* mergeChoices(
  engine: Pick<Engine, 'generate'>,
  request: GenerationRequest,
  { choices, slots }: Width,
  signal: AbortSignal,
): AsyncGenerator<ChoiceEvent, void, void> {
  const failing = new AbortController()
  const either = AbortSignal.any([signal, failing.signal])
  const generations: Generation[] = []
  const steps = new Map<number, Promise<Step>>()
  const startNext = () => {
    const index = generations.length
    const events = engine.generate(withSeed(request, index), either)
    const generation = events[Symbol.asyncIterator]()
    generations.push(generation)
    steps.set(index, nextStep(index, generation))
  }
  const startMore = () => {
    while (generations.length < choices && steps.size < slots()) startNext()
  }
  const failures: unknown[] = []
  try {
    startMore()
    while (steps.size > 0) {
      const { index, generation, ...step } = await Promise.race(steps.values())
      steps.delete(index)
      if ('error' in step) {
        failures.push(step.error)
        failing.abort()
      } else if (step.result.done !== true) {
        yield { ...step.result.value, index }
        // Appends the choice to the map, so that the other choices are read before it.
        steps.set(index, nextStep(index, generation))
      }
      // Starts choices even after an abort, because each one reports its own finish.
      if (failures.length === 0) startMore()
    }
    if (failures.length > 0) throw failures[0]
  } finally {
    failing.abort()
    await Promise.allSettled(generations.map(async (generation) => generation.return?.()))
  }
}

async function nextStep(index: number, generation: Generation): Promise<Step> {
  try {
    return { index, generation, result: await generation.next() }
  } catch (error) {
    return { index, generation, error }
  }
}

/** Adds `index` to the seed, which wraps to 0 after `Number.MAX_SAFE_INTEGER`. */
function withSeed(request: GenerationRequest, index: number): GenerationRequest {
  if (index === 0) return request
  const { seed } = request.sampling
  const left = Number.MAX_SAFE_INTEGER - seed
  const next = index <= left ? seed + index : index - left - 1
  return { ...request, sampling: { ...request.sampling, seed: next } }
}
