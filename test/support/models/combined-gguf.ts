import { readFileSync } from 'node:fs'
import { numbersOf, readMetadata, textsOf } from '../gguf/read-gguf.ts'
import { randomGguf, type RandomModel } from '../gguf/random-gguf.ts'
import type { Metadata } from '../gguf/write-gguf.ts'
import { vocabularyPath } from './release-files.ts'

type Combination = {
  /** An element of `vocabularyNames()`. */
  readonly vocabulary: string
  /** The source of a chat template; undefined for a file without one. */
  readonly chatTemplate?: string | undefined
  /**
   * Token types by token text, such as those of a template's control tokens. Texts that the vocabulary lacks are added.
   */
  readonly tokens?: Readonly<Record<string, TokenType>>
  /** Overrides metadata of the vocabulary, such as `tokenizer.ggml.pre`. */
  readonly metadata?: Metadata
  /** Shape of the weights. Default: the smallest. */
  readonly weights?: Partial<RandomModel>
}

export type TokenType = 'normal' | 'control' | 'userDefined'

/** Returns a loadable model with random weights, a real vocabulary and any chat template. */
export function combinedGguf(combination: Combination): Buffer {
  const { vocabulary, chatTemplate, tokens = {}, metadata = {}, weights = {} } = combination
  const tokenizer = withTokens(tokenizerOf(vocabulary), new Map(Object.entries(tokens)))
  return randomGguf({
    ...smallest,
    ...weights,
    vocabularySize: textsOf(tokenizer, 'tokenizer.ggml.tokens').length,
    chatTemplate,
    tokenizer,
    metadata,
  })
}

/** Returns the texts of a vocabulary's tokens as the file writes them: byte-level BPE has `Ġ` for a space. */
export function tokensOf(vocabulary: string): string[] {
  return textsOf(tokenizerOf(vocabulary), 'tokenizer.ggml.tokens')
}

const smallest: Partial<RandomModel> = { width: 32, heads: 1, layers: 1, feedForward: 32 }

const typeIds = { normal: 1, control: 3, userDefined: 4 } satisfies Record<TokenType, number>

/** Returns the metadata of the tokenizer, without chat templates. */
function tokenizerOf(vocabulary: string): Metadata {
  const metadata = readMetadata(readFileSync(vocabularyPath(vocabulary)))
  const isWanted = ([key]: [string, unknown]) =>
    key.startsWith('tokenizer.') && !key.startsWith('tokenizer.chat_template')
  return Object.fromEntries(Object.entries(metadata).filter(isWanted))
}

function withTokens(tokenizer: Metadata, texts: Map<string, TokenType>): Metadata {
  if (texts.size === 0) return tokenizer
  const tokens = textsOf(tokenizer, 'tokenizer.ggml.tokens')
  const types = numbersOf(tokenizer, 'tokenizer.ggml.token_type')
  const scores = numbersOf(tokenizer, 'tokenizer.ggml.scores')
  const present = new Set(tokens)
  const all = [...tokens, ...[...texts.keys()].filter((text) => !present.has(text))]
  const typeOf = (text: string, token: number): number => {
    const type = texts.get(text)
    return type === undefined ? (types[token] ?? typeIds.normal) : typeIds[type]
  }
  return {
    ...tokenizer,
    'tokenizer.ggml.tokens': all,
    'tokenizer.ggml.token_type': { int32s: all.map(typeOf) },
    ...(scores.length > 0 && {
      'tokenizer.ggml.scores': { float32s: all.map((_, token) => scores[token] ?? 0) },
    }),
  }
}
