import { measuredServicesMin, outputWeightMax } from './queue-limits.ts'

/** The size of a request, as far as it is known before it runs. */
export type Work = {
  promptTokens: number
  /** The most completion tokens of all its choices together. */
  outputTokensMax: number
}

/** The expected size of one request, or of several together. */
export type Size = {
  /** Slots that they take. */
  readonly slots: number
  /** Prompt tokens, those of a request once for each of its slots, which all wait for them. */
  readonly promptTokens: number
  /** Completion tokens of all slots. */
  readonly outputTokens: number
}

/** @param outputShare the share of the most completion tokens that is expected */
export function sizeOf(
  { promptTokens, outputTokensMax }: Work,
  slots: number,
  outputShare: number,
): Size {
  const share = Math.min(Math.max(outputShareMin, outputShare), 1)
  return { slots, promptTokens: slots * promptTokens, outputTokens: share * outputTokensMax }
}

/** Smallest share of the most completion tokens that is expected. */
const outputShareMin = 0.1

/** Times of a request that has got at least one token. */
type Served = {
  promptTokens: number
  prefillMs: number
  /** Completion tokens after the first one, for each of its slots. */
  laterTokens: number
  decodeMs: number
}

/** Time that a slot is assumed to be held before one was. */
const holdMsAssumed = 1000
/** Weight of a completion token before the engine's speed is known. */
const outputWeightAssumed = 2

/**
 * Measures the engine at its present load: time per prompt token and per completion token of one slot. The cost of
 * a request follows from them, in ms of one slot.
 */
export class ServiceRates {
  readonly #prefillMs = new MovingAverage()
  readonly #promptTokens = new MovingAverage()
  readonly #decodeMs = new MovingAverage()
  readonly #laterTokens = new MovingAverage()
  readonly #holdMs = new MovingAverage()
  readonly #units = new MovingAverage()

  /** Mean time for which a slot is held. */
  get holdMs(): number {
    return this.#holdMs.count === 0 ? holdMsAssumed : this.#holdMs.value
  }

  /** Mean weighted tokens of a request, at least 1. */
  get unitsOfRequest(): number {
    return Math.max(1, this.#units.value)
  }

  /** True once enough was measured to refuse a request for its predicted wait. */
  get areMeasured(): boolean {
    return this.#holdMs.count >= measuredServicesMin
  }

  /** The work of one completion token in prompt tokens, from 1. */
  get outputWeight(): number {
    if (!this.#hasTokenRates) return outputWeightAssumed
    const weight = this.#msPerToken / this.#msPerPromptToken
    return Math.min(Math.max(1, weight), outputWeightMax)
  }

  /** Time of one weighted token. */
  get msPerUnit(): number {
    return this.#hasTokenRates ? this.#msPerPromptToken : this.holdMs / this.unitsOfRequest
  }

  /** Predicts the slot time of requests. It is computed anew for each prediction, because the speed changes. */
  costMs({ slots, promptTokens, outputTokens }: Size): number {
    if (!this.#hasTokenRates) return slots * this.holdMs
    return promptTokens * this.#msPerPromptToken + outputTokens * this.#msPerToken
  }

  noteHold(heldMs: number): void {
    this.#holdMs.add(heldMs)
  }

  noteServed({ promptTokens, prefillMs, laterTokens, decodeMs }: Served): void {
    this.#prefillMs.add(prefillMs)
    this.#promptTokens.add(promptTokens)
    this.#units.add(promptTokens + laterTokens * this.outputWeight)
    if (laterTokens < 1) return
    this.#decodeMs.add(decodeMs)
    this.#laterTokens.add(laterTokens)
  }

  get #hasTokenRates(): boolean {
    const enough = this.#laterTokens.count >= measuredServicesMin
    return enough && this.#msPerPromptToken > 0 && this.#msPerToken > 0
  }

  get #msPerPromptToken(): number {
    return this.#prefillMs.value / this.#promptTokens.value
  }

  get #msPerToken(): number {
    return this.#decodeMs.value / this.#laterTokens.value
  }
}

const averagedMax = 16

/** The mean of the first values, and then a moving average in which each new value has 1/16. */
class MovingAverage {
  value = 0
  /** Values that it has, at most 16. */
  count = 0

  add(value: number): void {
    this.count = Math.min(this.count + 1, averagedMax)
    this.value += (value - this.value) / this.count
  }
}
