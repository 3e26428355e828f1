import type { Engine, GenerationEvent, GenerationRequest } from '../engine/engine.ts'

export type ChoiceEvent = { index: number; event: GenerationEvent }

type Generation = AsyncIterator<GenerationEvent, void>
type Step = { index: number; generation: Generation } & (
  | { result: IteratorResult<GenerationEvent, void> }
  | { error: unknown }
)

/**
 * Generations of one prompt side by side, as one: choice i has the seed + i, and the later ones find
 * the prompt in the KV cache once the first has computed it. When one fails the others are aborted;
 * what they had sampled is told before its error comes.
 */
export async function* generateChoices(
  engine: Pick<Engine, 'generate'>,
  request: GenerationRequest,
  choices: number,
  signal: AbortSignal,
): AsyncGenerator<ChoiceEvent, void, void> {
  if (choices === 1) {
    for await (const event of engine.generate(request, signal)) yield { index: 0, event }
    return
  }
  const failing = new AbortController()
  const either = AbortSignal.any([signal, failing.signal])
  const generations = Array.from({ length: choices }, (_, index) =>
    engine.generate(withSeed(request, index), either)[Symbol.asyncIterator](),
  )
  const steps = new Map(
    generations.map((generation, index) => [index, nextStep(index, generation)]),
  )
  const failures: unknown[] = []
  try {
    while (steps.size > 0) {
      const { index, generation, ...step } = await Promise.race(steps.values())
      steps.delete(index)
      if ('error' in step) {
        failures.push(step.error)
        failing.abort()
      } else if (step.result.done !== true) {
        yield { index, event: step.result.value }
        // At the end of the map: whoever was heard last is heard again after the others.
        steps.set(index, nextStep(index, generation))
      }
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

/** Seeds go round where they end. */
function withSeed(request: GenerationRequest, index: number): GenerationRequest {
  if (index === 0) return request
  const { seed } = request.sampling
  const left = Number.MAX_SAFE_INTEGER - seed
  const next = index <= left ? seed + index : index - left - 1
  return { ...request, sampling: { ...request.sampling, seed: next } }
}
