import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

/** A test, or a `describe`, whose title carries numbers of threats. */
export type Proof = {
  readonly path: string
  /** Titles of the surrounding `describe` calls and its own title, without the numbers. */
  readonly title: string
  readonly ids: readonly string[]
}

/**
 * Reads the proofs of every test file below `root` that git does not ignore, sorted by path and position in the file.
 */
export function readProofs(root: string): Proof[] {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const paths = [...new Set(list.split('\n'))]
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .toSorted((a, b) => (a < b ? -1 : 1))
  return paths.flatMap((path) => proofsOf(path, readFileSync(join(root, path), 'utf8')))
}

/**
 * Numbers in brackets at the end of a title: `(T13, T46)`. Matches any capital letter, so that a wrong one is found.
 */
const numbers = / \(((?:[A-Z]\d+(?:\.\d+)?)(?:, [A-Z]\d+(?:\.\d+)?)*)\)$/

export function proofsOf(path: string, text: string): Proof[] {
  // Most files have no numbers, and parsing is slow.
  if (!/[A-Z]\d+(?:\.\d+)?\)['"`]/.test(text)) return []
  const calls: Call[] = []
  new Visitor({
    CallExpression({ callee, arguments: [first], start, end }) {
      if (!/^(test|describe|it)$/.test(rootName(callee))) return
      const title = titleOf(first)
      const [group = '', ids] = numbers.exec(title) ?? []
      if (title === '') return
      calls.push({
        start,
        end,
        title: title.slice(0, title.length - group.length),
        ids: ids?.split(', ') ?? [],
      })
    },
  }).visit(parseSync(path, text).program)
  return calls
    .filter(({ ids }) => ids.length > 0)
    .map((call) => {
      const around = calls.filter(({ start, end }) => start < call.start && end >= call.end)
      return { path, title: [...around, call].map(({ title }) => title).join(': '), ids: call.ids }
    })
}

/** A call of `test` or `describe`, with its place in the text. */
type Call = { start: number; end: number; title: string; ids: string[] }

type Node = {
  type: string
  name?: unknown
  object?: unknown
  callee?: unknown
  value?: unknown
  quasis?: { value: { cooked: string | null } }[]
}

/** Returns `test` for `test(…)`, `test.skipIf(…)(…)` and `test.each([…])(…)`. */
function rootName(callee: unknown): string {
  const { type, name, object, callee: inner } = callee as Node
  if (type === 'Identifier') return String(name)
  return object || inner ? rootName(object ?? inner) : ''
}

function titleOf(argument: unknown): string {
  const { type, value, quasis = [] } = (argument ?? { type: '' }) as Node
  if (type === 'Literal' && typeof value === 'string') return value
  if (type === 'TemplateLiteral') return quasis.map(({ value: { cooked } }) => cooked).join('…')
  return ''
}
