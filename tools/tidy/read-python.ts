import type { Content } from './source.ts'
import { joinComments, type RawComment } from './text.ts'

/** Reads the comments and docstrings of Python, without a parser. */
export function readPython(_path: string, text: string): Content {
  return { comments: joinComments(text, commentsOf(text)), functions: [], imports: [], texts: [] }
}

const lexeme =
  /#[^\n]*|[rbfuRBFU]{0,2}("""|''')(?:\\[^]|[^\\])*?\1|[rbfuRBFU]{0,2}(["'])(?:\\[^]|(?!\2)[^\\\n])*\2/g

/** Lists the comments. A string that stands alone is a docstring. */
function commentsOf(text: string): RawComment[] {
  const comments: RawComment[] = []
  for (const match of text.matchAll(lexeme)) {
    const [part] = match
    const start = match.index
    const end = start + part.length
    if (part.startsWith('#')) comments.push({ start, end, isLine: true, text: part.slice(1) })
    else if (isDocstring(text.slice(0, start)))
      comments.push({ start, end, isLine: false, text: part.replaceAll(/^\w*["']+|["']+$/g, '') })
  }
  return comments
}

function isDocstring(before: string): boolean {
  return (
    /(^|:[ \t]*(#[^\n]*)?\n)[ \t]*$/.test(before.slice(-200)) || /^(#[^\n]*\n|\s)*$/.test(before)
  )
}
