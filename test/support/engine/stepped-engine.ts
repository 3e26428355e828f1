import type { GenerationRequest, PrepareOptions, ChatMessage } from '../../../src/engine/engine.ts'
import { ScriptedEngine } from '../../../src/engine/scripted-engine.ts'

/** An engine whose generations start and then wait until `step` releases them. Seeds identify the requests. */
export class SteppedEngine extends ScriptedEngine {
  /** Seeds of the generations in the order in which they began. */
  readonly started: number[] = []
  prepared = 0
  /** Waiting generations, by their seeds, the earliest first. */
  readonly #waiting = new Map<number, () => void>()
  #isOpen = false

  constructor(slots: number) {
    super({
      slots,
      contextTokens: 4096,
      tokensPerSecond: 0,
      prefillMs: 0,
      reply: () => 'one two three four',
    })
  }

  override async prepare(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
    options?: PrepareOptions,
  ) {
    const prompt = await super.prepare(messages, signal, options)
    this.prepared += 1
    return prompt
  }

  override async *generate(request: GenerationRequest, signal: AbortSignal) {
    this.started.push(request.sampling.seed)
    if (!this.#isOpen) {
      await new Promise<void>((resolve) => {
        this.#waiting.set(request.sampling.seed, resolve)
        signal.addEventListener('abort', () => resolve())
      })
    }
    yield* super.generate(request, signal)
  }

  /**
   * Releases a generation, by default the earliest, to run to its end. Resolves to the seed of the next generation that
   * starts.
   */
  async step(seed = this.#waiting.keys().next().value): Promise<number> {
    const next = this.started.length
    if (seed !== undefined) this.#waiting.get(seed)?.()
    if (seed !== undefined) this.#waiting.delete(seed)
    while (this.started.length === next) await new Promise((resolve) => setImmediate(resolve))
    return this.started[next] ?? -1
  }

  /** Lets all generations run to their end. */
  open(): void {
    this.#isOpen = true
    for (const resolve of this.#waiting.values()) resolve()
    this.#waiting.clear()
  }
}
