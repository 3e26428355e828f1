import { type Draft, toBytes } from './generators/draft.ts'
import { Random } from './generators/random.ts'
import { chatMutation } from './generators/chat-mutation.ts'
import { hostileHeaders } from './generators/headers.ts'
import { hostilePatterns } from './generators/patterns.ts'
import { hostilePrompt } from './generators/prompts.ts'
import { rawBytes } from './generators/raw-bytes.ts'
import { hostileSchema } from './generators/schemas.ts'
import { specialTokens } from './generators/special-tokens.ts'
import { hostileTools } from './generators/tools.ts'

export type HostileRequest = {
  readonly generator: GeneratorName
  readonly index: number
  readonly bytes: Buffer
}

type Generator = (random: Random) => Draft

export const generators = {
  'chat-mutation': chatMutation,
  'raw-bytes': rawBytes,
  headers: hostileHeaders,
  schemas: hostileSchema,
  patterns: hostilePatterns,
  tools: hostileTools,
  prompts: hostilePrompt,
  'special-tokens': specialTokens,
} satisfies Record<string, Generator>

export type GeneratorName = keyof typeof generators

/** Relative frequencies of the generators. */
export type Mix = Partial<Record<GeneratorName, number>>

/** Makes request number `index` of a seed. It does not depend on other requests, so it can be replayed alone. */
export function hostileRequest(mix: Mix, seed: number, index: number, key: string): HostileRequest {
  const random = new Random(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const generator = draw(mix, random)
  return { generator, index, bytes: toBytes(generators[generator](random), key) }
}

function draw(mix: Mix, random: Random): GeneratorName {
  const shares = Object.entries(mix) as [GeneratorName, number][]
  let left = random.integer(
    1,
    shares.reduce((sum, [, share]) => sum + share, 0),
  )
  for (const [name, share] of shares) {
    left -= share
    if (left <= 0) return name
  }
  throw new Error('the mix is empty')
}
