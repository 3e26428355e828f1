import { measuredServicesMin, outputWeightMax } from './queue-limits.ts'

/** Known size of a request before it runs. */
export type Work = {
  promptTokens: number
  /** Maximum number of completion tokens of all choices together. */
  outputTokensMax: number
}

/** Expected size of one request, or total size of several. */
export type Size = {
  /** Slots needed. */
  readonly slots: number
  /** Prompt tokens times the request's slots, because all its slots wait for the prefill. */
  readonly promptTokens: number
  /** Completion tokens of all slots. */
  readonly outputTokens: number
}

/** @param outputShare expected completion tokens as a share of `outputTokensMax` */
export function sizeOf(
  { promptTokens, outputTokensMax }: Work,
  slots: number,
  outputShare: number,
): Size {
  const share = Math.min(Math.max(outputShareMin, outputShare), 1)
  return { slots, promptTokens: slots * promptTokens, outputTokens: share * outputTokensMax }
}

/** Lower bound of `outputShare`. */
const outputShareMin = 0.1

/** Measured times of a request that got at least one token. */
type Served = {
  promptTokens: number
  prefillMs: number
  /** Completion tokens after the first one, per slot. */
  laterTokens: number
  decodeMs: number
}

/** Assumed hold time of a slot until one has been measured. */
const holdMsAssumed = 1000
/** Assumed weight of a completion token until the engine's speed is known. */
const outputWeightAssumed = 2

/**
 * Measures the engine's speed at its present load, as time per prompt token and per completion token of one slot. The
 * cost of a request follows from these speeds, in ms of one slot.
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

  /** Mean size of a request, at least 1. A prompt token counts as 1, a completion token as `outputWeight`. */
  get unitsOfRequest(): number {
    return Math.max(1, this.#units.value)
  }

  /** True once enough was measured to refuse requests for their predicted wait. */
  get areMeasured(): boolean {
    return this.#holdMs.count >= measuredServicesMin
  }

  /** Cost of a completion token relative to a prompt token, at least 1. */
  get outputWeight(): number {
    if (!this.#hasTokenRates) return outputWeightAssumed
    const weight = this.#msPerToken / this.#msPerPromptToken
    return Math.min(Math.max(1, weight), outputWeightMax)
  }

  /** Slot time in ms for one prompt token, the unit of `unitsOfRequest`. */
  get msPerUnit(): number {
    return this.#hasTokenRates ? this.#msPerPromptToken : this.holdMs / this.unitsOfRequest
  }

  /** Predicts the slot time of requests. Not cached, because the engine's speed changes. */
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

/** Mean of the first 16 values, then a moving average in which each new value weighs 1/16. */
class MovingAverage {
  value = 0
  /** Number of values so far, counted up to 16. */
  count = 0

  add(value: number): void {
    this.count = Math.min(this.count + 1, averagedMax)
    this.value += (value - this.value) / this.count
  }
}
