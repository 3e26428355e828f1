import type { CompletionEvent, CompletionSpec } from '../completion.ts'
import type { CompletionSettlement } from '../completion-settlement.ts'
import { ReplyRecorder } from '../once/idempotency.ts'
import type { ChoiceEvent } from './generate-choices.ts'

type Delta = Extract<ChoiceEvent, { type: 'delta' }>
type Finish = Extract<ChoiceEvent, { type: 'finish' }>

/** Turns the engine's events into those of the completion, and counts them for its settlement. */
export class CompletionReply {
  readonly #settlement: CompletionSettlement
  readonly #recorder: ReplyRecorder | undefined
  #openChoices: number
  #isAborted = false
  #outcome: 'completed' | 'length' = 'completed'

  constructor({ choices, once }: CompletionSpec, settlement: CompletionSettlement) {
    this.#settlement = settlement
    this.#recorder = once && new ReplyRecorder(once.head)
    this.#openChoices = choices
  }

  get openChoices(): number {
    return this.#openChoices
  }

  /** True once a choice has ended because of the abort signal. */
  get isAborted(): boolean {
    return this.#isAborted
  }

  /** Set once all choices have ended by themselves. */
  get outcome(): 'completed' | 'length' | undefined {
    return this.#openChoices === 0 && !this.#isAborted ? this.#outcome : undefined
  }

  /** Returns the whole reply for retries under the same idempotency key, unless it is too long to keep. */
  toKept(): string | undefined {
    return this.#recorder?.toReply(this.#settlement.usage)
  }

  /** Returns the event for the caller; undefined if the caller does not see it. */
  read(event: ChoiceEvent): CompletionEvent | undefined {
    switch (event.type) {
      case 'delta':
        return this.#readDelta(event)
      case 'finish':
        return this.#readFinish(event)
    }
  }

  #readDelta(event: Delta): CompletionEvent | undefined {
    const { index = 0, text, tokens, logprobs, reasoning, reasoningTokens, promptTokens } = event
    this.#settlement.addTokens(index, tokens, reasoningTokens)
    if (index === 0 && promptTokens !== undefined)
      this.#settlement.usage.promptTokens = promptTokens
    const hasLogprobs = logprobs !== undefined && logprobs.length > 0
    const hasThought = reasoning !== undefined && reasoning !== ''
    if (text === '' && !hasLogprobs && !hasThought) return undefined
    const delta = {
      type: 'delta',
      index,
      text,
      ...(hasLogprobs && { logprobs }),
      ...(hasThought && { reasoning }),
    } as const
    this.#recorder?.add(delta)
    return delta
  }

  #readFinish(event: Finish): CompletionEvent | undefined {
    const { index = 0, completionTokens, cachedTokens, isUnbegun } = event
    this.#settlement.endChoice(index, { completionTokens, cachedTokens, isUnbegun })
    this.#openChoices -= 1
    if (event.reason === 'aborted') {
      this.#isAborted = true
      return undefined
    }
    if (event.reason === 'length') this.#outcome = 'length'
    const finish = { type: 'finish', index, reason: event.reason } as const
    this.#recorder?.add(finish)
    return finish
  }
}
