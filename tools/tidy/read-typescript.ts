import { dirname, join } from 'node:path'
import { type ParseResult, parseSync } from 'rolldown/utils'
import type { Comment, Content } from './source.ts'
import { joinComments, lineFinder, type RawComment } from './text.ts'

/** Reads the comments and imports of TypeScript and JavaScript. */
export function readTypeScript(path: string, text: string): Content {
  const { comments, errors, module } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  const raw = comments.map(({ type, value, start, end }): RawComment => ({
    start,
    end,
    isLine: type === 'Line',
    text: value,
  }))
  return {
    comments: joinComments(text, raw),
    functions: [],
    imports: importsOf(path, text, module),
    texts: textsOf(text),
  }
}

/** Returns the relative imports, type imports included, as paths from the root. */
function importsOf(path: string, text: string, module: ParseResult['module']): string[] {
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      text.slice(start + 1, end - 1),
    ),
  ]
  return requests
    .filter((request) => request.startsWith('.'))
    .map((request) => join(dirname(path), request))
}

/**
 * Matches a text that directly follows `test(`, `describe(`, `…])(` or `new …Error(`. In an error, a code may come
 * first.
 */
const opening =
  /(?:\b(?:test|describe)(?:\.\w+)?|[\])]\)|\bnew \w*(?:Error|Fault|Refused))\(\s*(?:'\w+',\s*)?(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

function textsOf(text: string): Comment[] {
  const lineOf = lineFinder(text)
  return [...text.matchAll(opening)].map((match) => ({
    line: lineOf(match.index + match[0].length - (match[2] ?? '').length - 1),
    text: match[2] ?? '',
  }))
}
