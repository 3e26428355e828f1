import { parseSync } from 'rolldown/utils'
import type { Content } from './source.ts'
import { joinComments, type RawComment } from './text.ts'

/** Reads the comments of TypeScript and JavaScript. */
export function readTypeScript(path: string, text: string): Content {
  const { comments, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  const raw = comments.map(({ type, value, start, end }): RawComment => ({
    start,
    end,
    isLine: type === 'Line',
    text: value,
  }))
  return { comments: joinComments(text, raw), functions: [] }
}
