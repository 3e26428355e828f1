import { dirname, join } from 'node:path'
import type { Content, Import, SourceFunction } from './source.ts'
import { blank, joinComments, lineFinder, type RawComment } from './text.ts'

/** Reads Python without a parser: indents, comments, docstrings and imports are enough for the rules. */
export function readPython(path: string, text: string): Content {
  const { code, comments } = separate(text)
  return {
    comments: joinComments(text, comments),
    functions: functionsOf(code),
    imports: importsOf(path, code),
    exports: [],
  }
}

const lexeme =
  /#[^\n]*|[rbfuRBFU]{0,2}("""|''')(?:\\[^]|[^\\])*?\1|[rbfuRBFU]{0,2}(["'])(?:\\[^]|(?!\2)[^\\\n])*\2/g

/** Blanks comments and strings, and lists the comments. A string that stands alone is a docstring. */
function separate(text: string): { code: string; comments: RawComment[] } {
  const comments: RawComment[] = []
  const code = text.replaceAll(lexeme, (part: string, ...rest: unknown[]) => {
    const start = rest[2] as number
    const end = start + part.length
    const isLine = part.startsWith('#')
    if (isLine) comments.push({ start, end, isLine, text: part.slice(1) })
    else if (isDocstring(text.slice(0, start)))
      comments.push({ start, end, isLine, text: part.replaceAll(/^\w*["']+|["']+$/g, '') })
    return isLine ? blank(part) : blank(part).replace(' ', '_')
  })
  return { code, comments }
}

function isDocstring(before: string): boolean {
  return (
    /(^|:[ \t]*(#[^\n]*)?\n)[ \t]*$/.test(before.slice(-200)) || /^(#[^\n]*\n|\s)*$/.test(before)
  )
}

/** Lists functions and methods; a function ends before the next line that is indented no deeper. */
function functionsOf(code: string): SourceFunction[] {
  const functions: SourceFunction[] = []
  const open: { name: string; line: number; indent: number }[] = []
  let brackets = 0
  let lastLine = 0
  const closeTo = (indent: number) => {
    while ((open.at(-1)?.indent ?? -1) >= indent) {
      const { name = '', line = 0 } = open.pop() ?? {}
      functions.push({ name, line, lines: lastLine - line + 1 })
    }
  }
  for (const [index, text] of code.split('\n').entries()) {
    const indent = text.search(/\S/)
    if (indent < 0) continue
    if (brackets === 0) {
      closeTo(indent)
      const name = /^\s*(?:async\s+)?def\s+(\w+)/.exec(text)?.[1]
      if (name !== undefined) open.push({ name, line: index + 1, indent })
    }
    for (const char of text) brackets += '([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0
    lastLine = index + 1
  }
  closeTo(0)
  return functions
}

/** Lists imports, also those inside functions; a name may be a module or something in one. */
function importsOf(path: string, code: string): Import[] {
  const lineOf = lineFinder(code)
  const folder = dirname(path)
  return [
    ...code.matchAll(
      /^[ \t]*(?:from\s+(\.*)([\w.]*)\s+import\s+([^\n(]+|\([^)]*\))|import\s+([\w.]+))/gm,
    ),
  ].map((match) => {
    const [, dots = '', from = '', names = '', plain = ''] = match
    const module = (from || plain).replaceAll('.', '/')
    const bases =
      dots === ''
        ? [folder, dirname(folder)]
        : [join(folder, ...Array<string>(dots.length - 1).fill('..'))]
    const imported = names
      .replaceAll(/[()]/g, '')
      .split(',')
      .map((name) => name.trim().split(' ')[0] ?? '')
    const paths = bases.flatMap((base) => [
      ...imported.filter(Boolean).map((name) => join(base, module, `${name}.py`)),
      ...(module === '' ? [] : [join(base, `${module}.py`), join(base, module, '__init__.py')]),
    ])
    return { line: lineOf(match.index), paths, names: 'all' as const }
  })
}
