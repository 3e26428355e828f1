import type { CompletionHead } from '../../../completions/completion.ts'

export type WireHead = ReturnType<typeof toHead>

/** Returns the members that a completion and all its chunks have in common. */
export function toHead({ id, created, model, fingerprint }: CompletionHead) {
  return { id, created, model, system_fingerprint: fingerprint }
}
