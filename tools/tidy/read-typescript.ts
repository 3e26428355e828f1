import { parseSync } from 'rolldown/utils'
import type { Comment, Content } from './source.ts'
import { joinComments, lineFinder, type RawComment } from './text.ts'

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
  return { comments: joinComments(text, raw), functions: [], texts: textsOf(text) }
}

/** Finds a text that directly follows `test(`, `describe(`, `…])(` or `new …Error(`, there also after a code. */
const opening =
  /(?:\b(?:test|describe)(?:\.\w+)?|[\])]\)|\bnew \w*(?:Error|Fault|Refused))\(\s*(?:'\w+',\s*)?(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

function textsOf(text: string): Comment[] {
  const lineOf = lineFinder(text)
  return [...text.matchAll(opening)].map((match) => ({
    line: lineOf(match.index + match[0].length - (match[2] ?? '').length - 1),
    text: match[2] ?? '',
  }))
}
