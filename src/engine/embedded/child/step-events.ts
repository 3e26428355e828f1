import { strict as assert } from 'node:assert'

/** An event of one generation in a step of the native loop. */
export type NativeEvent = { readonly id: number } & (
  | { readonly kind: 'token'; readonly token: number }
  /** The prefill begins. */
  | { readonly kind: 'started'; readonly cachedTokens: number }
  | { readonly kind: 'stop' | 'length' | 'aborted' | 'failed' }
  /** Belongs to the next `token` event: first the sampled token, then the most likely ones. */
  | { readonly kind: 'logprob'; readonly token: number; readonly logprob: number }
)

/** The values of `EventKind` in `native/loop/step-loop.h`. */
const kinds = ['token', 'started', 'stop', 'length', 'aborted', 'failed', 'logprob'] as const

/** Reads the memory of native `StepEvent`s: id, kind, value and a float, 32 bits each. */
export function* decodeStepEvents(numbers: Int32Array): Generator<NativeEvent, void, undefined> {
  const floats = new Float32Array(numbers.buffer, numbers.byteOffset, numbers.length)
  for (let index = 0; index < numbers.length; index += 4) {
    const id = numbers[index] ?? 0
    const kind = kinds[numbers[index + 1] ?? -1]
    const value = numbers[index + 2] ?? 0
    assert(kind !== undefined, 'the native loop sent an event of an unknown kind')
    switch (kind) {
      case 'token':
        yield { id, kind, token: value }
        break
      case 'started':
        yield { id, kind, cachedTokens: value }
        break
      case 'logprob':
        yield { id, kind, token: value, logprob: floats[index + 3] ?? NaN }
        break
      case 'stop':
      case 'length':
      case 'aborted':
      case 'failed':
        yield { id, kind }
    }
  }
}
