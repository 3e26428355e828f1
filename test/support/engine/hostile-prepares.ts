import type { ReplyFormat } from '../../../src/engine/reply-format.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { hostileSchemas } from '../schemas/hostile-schemas.ts'
import { never } from './engine-fixtures.ts'

const words = 'the quick brown fox jumps over the lazy dog and then some '

/** Returns a text of English words with about this number of bytes. */
export function longText(bytes: number): string {
  return words.repeat(Math.ceil(bytes / words.length))
}

/** Returns a format that takes as long to compile as is allowed. Each `salt` gives a different format. */
export function hostileFormat(salt: number, index = 0): ReplyFormat {
  const [, schema] = hostileSchemas[index % hostileSchemas.length] ?? []
  const text = JSON.stringify({ ...schema, title: `number ${salt}` })
  return { type: 'json_schema', schema: text, at: 'response_format' }
}

/** Prepares a conversation of one message, and ignores a refusal. */
export async function prepareQuietly(
  engine: Pick<Engine, 'prepare'>,
  content: string,
  format?: ReplyFormat,
  signal = never,
): Promise<void> {
  await engine.prepare([{ role: 'user', content }], signal, { format }).catch(() => {})
}
