/** One request of the attack. Times are milliseconds on the monotonic clock. */
export type Observation = {
  url: string
  phase: string
  sentMs: number
  /** When the first text arrived. */
  firstMs: number | undefined
  /** When the last text arrived. */
  lastMs: number | undefined
  endMs: number
  /** `cut`: we hung up, or the connection broke. */
  ending: 'whole' | 'cut' | 'refused' | 'failed'
  /** The HTTP status; undefined if no response began. */
  status: number | undefined
  requestId: string | undefined
  replyId: string | undefined
  /** A stored reply to an Idempotency-Key, which costs nothing. */
  isReplay: boolean
  idempotencyKey: string | undefined
  isStream: boolean
  maxTokens: number
  usage: { prompt: number; completion: number } | undefined
  /** Number of pieces of text that arrived. */
  deltas: number
  error: string | undefined
}

/** True if the gateway certainly let the request through to the engine. */
export function isAdmitted({ status, isReplay }: Observation): boolean {
  return status !== undefined && status >= 200 && status < 300 && !isReplay
}

/** True if the gateway may have run the request and counted it against the limits. */
export function mayHaveRun({ ending, isReplay }: Observation): boolean {
  return ending !== 'refused' && !isReplay
}

/** Tokens of the prompt that all requests share; undefined until a reply reports it. */
export type Prompt = { tokens: number | undefined; bytes: number }

/** Returns the minimum number of tokens that the gateway must have counted for the request. */
export function leastTokens(seen: Observation, prompt: Prompt): number {
  if (!isAdmitted(seen)) return 0
  if (seen.usage !== undefined) return seen.usage.prompt + seen.usage.completion
  // Until the first text arrives, the prompt may not have been read. Each delta is at least one token; see
  // `withTrustedDeltas`.
  return seen.deltas === 0 ? 0 : (prompt.tokens ?? 0) + seen.deltas
}

/** Returns the maximum number of tokens that a gateway may reserve for the request. */
export function reservedTokens({ maxTokens }: Observation, prompt: Prompt): number {
  return (prompt.tokens ?? prompt.bytes + templateTokensMost) + maxTokens
}

/** Returns the maximum number of tokens that the request may have used by its end. */
export function mostTokens(seen: Observation, prompt: Prompt): number {
  if (!mayHaveRun(seen)) return 0
  if (seen.usage !== undefined) return seen.usage.prompt + seen.usage.completion
  return reservedTokens(seen, prompt)
}

/** Tokens that a chat template may add to the bytes of a prompt. */
const templateTokensMost = 64
