import { compileSchema } from '../../../src/engine/grammar/compile-schema.ts'
import type { Grammar } from '../../../src/engine/grammar/grammar.ts'
import { testAddon } from '../../native/test-addon.ts'

/** The longer tokens of a vocabulary, which also has every byte and the end token. */
const pieces = [
  '{"',
  '":',
  '": ',
  '","',
  ', "',
  '"}',
  '"]',
  ']}',
  '},{',
  'true',
  '0.',
  '\\u00',
  '\\"',
  'é',
  'ab',
]
const tokens: readonly Uint8Array[] = [
  ...Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte)),
  ...pieces.map((text) => Uint8Array.from(Buffer.from(text))),
  // Halves of a multi-byte character.
  Uint8Array.of(0xf0, 0x9f),
  Uint8Array.of(0x90, 0xa6, 0x22),
  new Uint8Array(),
]
// Closing tokens are likelier, so that most texts end.
const logits = Float32Array.from(tokens, (bytes) => {
  if (bytes.length === 0) return 4
  return /^["}\]]/.test(Buffer.from(bytes).toString()) ? 5 : 0
})

/** Samples a text that the grammar allows; undefined if the text reaches the length limit. */
export function sampleText(
  grammar: Grammar,
  seed: number,
  tokensMax = 600,
  from: Vocabulary = { tokens, logits },
): string | undefined {
  const sampling = { temperature: 1, topP: 1, topK: 0, minP: 0, seed }
  const numbers = grammar.toNumbers()
  const sampled = [
    ...testAddon.sampleGrammar(from.logits, sampling, numbers, from.tokens, tokensMax),
  ]
  if (sampled.includes(-1)) throw new Error('the grammar came to a dead end')
  if (sampled.length === tokensMax) return undefined
  const bytes = sampled.flatMap((token) => [...(from.tokens[token] ?? [])])
  return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
}

/** Samples a text of at most `tokensMax` tokens. If `completes` is true, the text is complete even at that limit. */
export function sampleWithin(
  grammar: Grammar,
  seed: number,
  tokensMax: number,
  completes = true,
): string {
  const sampling = { temperature: 1, topP: 1, topK: 0, minP: 0, seed }
  const numbers = grammar.toNumbers()
  // Every token is equally likely, so that texts are long.
  const flat = new Float32Array(tokens.length)
  const sampled = testAddon.sampleGrammar(flat, sampling, numbers, tokens, tokensMax, completes)
  const bytes = [...sampled].flatMap((token) => [...(tokens[token] ?? [])])
  return Buffer.from(bytes).toString()
}

/** Returns a number of tokens that is enough for some text of the grammar. */
export function tokensNeeded(grammar: Grammar): number {
  return testAddon.closingTokens(grammar.toNumbers(), tokens)
}

/** Returns a lower bound on the number of tokens of any text of the grammar. */
export function fewestTokens(grammar: Grammar): number {
  return testAddon.fewestTokens(grammar.toNumbers(), tokens)
}

type Vocabulary = { tokens: readonly Uint8Array[]; logits: Float32Array }

/** Returns a vocabulary from which these words are likely to be sampled, and single ASCII characters are not. */
export function vocabularyOf(words: readonly string[]): Vocabulary {
  const characters = Array.from({ length: 0x7f }, (_, code) => Uint8Array.of(code))
  const likely = words.map((word) => Uint8Array.from(Buffer.from(word)))
  const all = [...likely, new Uint8Array(), ...characters]
  return { tokens: all, logits: Float32Array.from(all, (_, id) => (id <= likely.length ? 0 : -8)) }
}

/** Samples `count` texts of a schema and returns the complete ones. */
export function sampleSchema(schema: unknown, count: number, firstSeed = 1): string[] {
  const grammar = compileSchema(schema)
  return Array.from({ length: count }, (_, index) => sampleText(grammar, firstSeed + index)).filter(
    (text) => text !== undefined,
  )
}
