import type { Content, SourceFunction } from './source.ts'
import { blank, joinComments, lineFinder, type RawComment } from './text.ts'

/** Reads C++ without a parser: braces and comments are enough for the rules. */
export function readCpp(_path: string, text: string): Content {
  const lineOf = lineFinder(text)
  const { code, comments } = separate(text)
  return {
    comments: joinComments(text, comments),
    functions: functionsOf(code, lineOf),
    imports: [],
    texts: [],
  }
}

const lexeme =
  /\/\/[^\n]*|\/\*[^]*?\*\/|R"([^(\s]*)\([^]*?\)\1"|"(?:\\[^]|[^"\\\n])*"|(?<![\da-fA-F])'(?:\\[^]|[^'\\\n])+'|^[ \t]*#(?:\\\n|[^\n])*/gm

/** Blanks comments, literals and preprocessor lines, and lists the comments. */
function separate(text: string): { code: string; comments: RawComment[] } {
  const comments: RawComment[] = []
  const code = text.replaceAll(lexeme, (part: string, ...rest: unknown[]) => {
    const start = rest[1] as number
    const isLine = part.startsWith('//')
    if (isLine) comments.push({ start, end: start + part.length, isLine, text: part.slice(2) })
    else if (part.startsWith('/*'))
      comments.push({ start, end: start + part.length, isLine, text: part.slice(2, -2) })
    return blank(part)
  })
  return { code, comments }
}

/** Lists the functions directly in a file, a namespace or a class. Lambdas count as part of their function. */
function functionsOf(code: string, lineOf: (offset: number) => number): SourceFunction[] {
  const functions: SourceFunction[] = []
  const open: { kind: 'scope' | 'function' | 'other'; head: string; start: number }[] = []
  let headStart = 0
  let parentheses = 0
  for (let at = 0; at < code.length; at++) {
    const char = code[at]
    if (char === '(') parentheses++
    else if (char === ')') parentheses--
    else if (char === ';' && parentheses === 0) headStart = at + 1
    else if (char === '{') {
      const head = code.slice(headStart, at).trim()
      const isInScope = parentheses === 0 && open.every(({ kind }) => kind === 'scope')
      const kind = isInScope ? kindOf(head) : 'other'
      const start = headStart + code.slice(headStart).search(/\S/)
      open.push({ kind, head, start })
      if (kind !== 'other') headStart = at + 1
    } else if (char === '}') {
      const block = open.pop()
      if (block === undefined || block.kind === 'other') continue
      headStart = at + 1
      if (block.kind === 'function') {
        const line = lineOf(block.start)
        functions.push({ name: nameOf(block.head), line, lines: lineOf(at) - line + 1 })
      }
    }
  }
  if (open.length > 0) throw new Error(`a brace is not closed: ${open.at(-1)?.head}`)
  return functions
}

/** Classifies the block that follows `head`, directly in a file, a namespace or a class. */
function kindOf(head: string): 'scope' | 'function' | 'other' {
  if (
    /^(template\s*<.*>\s*)?(struct|class|union|enum|namespace|extern|inline namespace)\b[^(]*$/s.test(
      head,
    )
  )
    return 'scope'
  // A member initialiser: `Queue(int size) : slots_{size} {`.
  if (/\)[^()]*:[^:].*[\w>]$/s.test(head) && !/\b(const|noexcept|override|final)$/.test(head))
    return 'other'
  return head.includes('(') && !head.endsWith('=') ? 'function' : 'other'
}

function nameOf(head: string): string {
  return (
    /([\w:~]+|operator\S+)\s*\(/.exec(
      head.replace(/\b(alignas|__attribute__)\s*\(+[^)]*\)+/g, ''),
    )?.[1] ?? 'a function'
  )
}
