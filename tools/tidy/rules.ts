import { dirname } from 'node:path'
import type { Source } from './source.ts'

/** One breach of a rule; `text` says what is wrong and what to do. */
export type Finding = {
  readonly rule: string
  readonly path: string
  readonly line: number
  readonly text: string
}

const functionLinesMax = 70
const fileLinesMax = 400
const folderFilesMax = 12

export function longFunctions(sources: readonly Source[]): Finding[] {
  return sources.flatMap(({ path, functions }) =>
    functions
      .filter(({ lines }) => lines > functionLinesMax)
      .map(({ name, line, lines }) => ({
        rule: 'long-function',
        path,
        line,
        text: `${name} has ${lines} lines, at most ${functionLinesMax} are allowed. Split it.`,
      })),
  )
}

export function longFiles(sources: readonly Source[]): Finding[] {
  return sources
    .filter(({ lineCount }) => lineCount > fileLinesMax)
    .map(({ path, lineCount }) => ({
      rule: 'long-file',
      path,
      line: 1,
      text: `The file has ${lineCount} lines, at most ${fileLinesMax} are allowed. Split it.`,
    }))
}

/** Counts a C++ header and its source file as one file. Tests do not count. */
export function fullFolders(sources: readonly Source[]): Finding[] {
  const folders = new Map<string, Set<string>>()
  for (const { path } of sources) {
    if (isTest(path)) continue
    const folder = dirname(path)
    folders.set(folder, (folders.get(folder) ?? new Set()).add(path.replace(/\.(cc|h)$/, '')))
  }
  return [...folders]
    .filter(([, files]) => files.size > folderFilesMax)
    .map(([path, files]) => ({
      rule: 'full-folder',
      path,
      line: 1,
      text: `The folder has ${files.size} source files, at most ${folderFilesMax} are allowed. Make a sub-folder for a part with one subject.`,
    }))
}

export function openingFragments(sources: readonly Source[]): Finding[] {
  return matches(
    sources,
    'comment-fragment',
    /^\s*(what|who|whether|of|undefined|nobody|as|how)\b/gi,
    (word) =>
      `The comment opens with "${word}". Begin with a verb ("Returns…") or with the thing it names.`,
  )
}

/** Also checks test titles and error texts. */
export function riddles(sources: readonly Source[]): Finding[] {
  return matches(
    sources,
    'riddle',
    /\b(nobody|somebody|whoever)\b/gi,
    (word) => `The text says "${word}". Name the caller, the account, the request or the process.`,
    ({ comments, texts }) => [...comments, ...texts],
  )
}

export function unnumberedTodos(sources: readonly Source[]): Finding[] {
  return matches(
    sources,
    'todo-number',
    /\b(TODO|FIXME)\b(?!\s*\(?#\d+)/g,
    (word) => `The ${word} names no issue. Write TODO(#12), or do it now.`,
  )
}

export function isTest(path: string): boolean {
  return /\.test\.[a-z]+$|(^|\/)test_\w+\.py$|[-_]test\.(cc|h)$/.test(path)
}

function matches(
  sources: readonly Source[],
  rule: string,
  pattern: RegExp,
  text: (word: string) => string,
  partsOf = ({ comments }: Source) => comments,
): Finding[] {
  return sources.flatMap((source) =>
    partsOf(source).flatMap((comment) =>
      [...comment.text.matchAll(pattern)].map((match) => {
        const lines = comment.text.slice(0, match.index + match[0].length).split('\n').length - 1
        return { rule, path: source.path, line: comment.line + lines, text: text(match[1] ?? '') }
      }),
    ),
  )
}
