import type { Prompt } from '../../engine/engine.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import type { TokenList } from '../../protocol/operations/tokenize.ts'

export function toTokens({ tokens, texts }: Prompt): TokenList {
  let begin = 0
  const listed = Array.from(tokens, (id, index) => {
    const end = texts?.ends[index] ?? begin
    const bytes = texts?.bytes.subarray(begin, end) ?? new Uint8Array()
    begin = end
    const text = bytes.length > 0 ? decoder.decode(bytes) : (texts?.names[id] ?? '')
    return { id, text, bytes: [...bytes] }
  })
  return { object: 'tokens', model: modelId, count: tokens.length, tokens: listed }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
