import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import type { Content, Export, Import, SourceFunction } from './source.ts'
import { joinComments, lineFinder, type RawComment } from './text.ts'

type Parsed = ReturnType<typeof parseSync>

export function readTypeScript(path: string, text: string): Content {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  const lineOf = lineFinder(text)
  const raw = parsed.comments.map(({ type, value, start, end }): RawComment => ({
    start,
    end,
    isLine: type === 'Line',
    text: value,
  }))
  return {
    comments: joinComments(text, raw),
    functions: functionsOf(parsed, lineOf),
    imports: importsOf(parsed, path, text, lineOf),
    exports: exportsOf(parsed, lineOf),
  }
}

type LineOf = (offset: number) => number
type Span = { start: number; end: number }

/** Lists functions, methods and arrows. The callback of `describe` is a heading, not a function. */
function functionsOf({ program }: Parsed, lineOf: LineOf): SourceFunction[] {
  const functions: SourceFunction[] = []
  const headings = new Set<number>()
  const names = new Map<number, string>()
  const add = ({ start, end }: Span, name = names.get(start) ?? 'an anonymous function') => {
    if (headings.has(start)) return
    functions.push({ name, line: lineOf(start), lines: lineOf(end) - lineOf(start) + 1 })
  }
  new Visitor({
    CallExpression({ callee, arguments: args }) {
      if (/^describe\b/.test(calleeName(callee))) for (const { start } of args) headings.add(start)
    },
    VariableDeclarator({ id, init }) {
      if (init && id.type === 'Identifier') names.set(init.start, id.name)
    },
    MethodDefinition({ key, value }) {
      if ('name' in key && typeof key.name === 'string') names.set(value.start, key.name)
    },
    FunctionDeclaration: (node) => add(node, node.id?.name),
    FunctionExpression: (node) => add(node, node.id?.name),
    ArrowFunctionExpression: (node) => add(node),
  }).visit(program)
  return functions
}

type Node = { type: string; name?: unknown; object?: unknown; callee?: unknown }

function calleeName(callee: unknown): string {
  const { type, name, object, callee: inner } = callee as Node
  if (type === 'Identifier') return String(name)
  return object || inner ? calleeName(object ?? inner) : ''
}

function importsOf(parsed: Parsed, path: string, text: string, lineOf: LineOf): Import[] {
  const imports: Import[] = []
  const add = (start: number, from: string, names: Import['names']) => {
    if (from.startsWith('.'))
      imports.push({ line: lineOf(start), paths: [join(path, '..', from)], names })
  }
  for (const { start, moduleRequest, entries } of parsed.module.staticImports) {
    const isNamespace = entries.some(({ importName }) => importName.kind === 'NamespaceObject')
    const names = entries.map(({ importName }) => importName.name ?? 'default')
    add(start, moduleRequest.value, isNamespace ? 'all' : names)
  }
  for (const { start, entries } of parsed.module.staticExports) {
    for (const { moduleRequest, importName } of entries) {
      if (moduleRequest)
        add(start, moduleRequest.value, importName.name == null ? 'all' : [importName.name])
    }
  }
  for (const { start, moduleRequest } of parsed.module.dynamicImports)
    add(start, text.slice(moduleRequest.start + 1, moduleRequest.end - 1), 'all')
  new Visitor({
    TSImportType: ({ start, source }) => add(start, source.value, 'all'),
  }).visit(parsed.program)
  return imports
}

function exportsOf(parsed: Parsed, lineOf: LineOf): Export[] {
  return parsed.module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ exportName, start }) =>
      exportName.name == null ? [] : [{ line: lineOf(start), name: exportName.name }],
    ),
  )
}
