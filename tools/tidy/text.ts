import type { Comment } from './source.ts'

/** One comment as it stands in the file. */
export type RawComment = {
  /** Offset of the comment's first character. `end` is the offset after its last character. */
  readonly start: number
  readonly end: number
  readonly isLine: boolean
  readonly text: string
}

/** Returns a function from an offset in `text` to its line, from 1. */
export function lineFinder(text: string): (offset: number) => number {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

/** Joins line comments of consecutive lines and strips the stars of block comments. */
export function joinComments(text: string, raw: readonly RawComment[]): Comment[] {
  const lineOf = lineFinder(text)
  const joined: { line: number; lastLine: number; joins: boolean; text: string }[] = []
  for (const comment of raw) {
    const line = lineOf(comment.start)
    const lineStart = text.lastIndexOf('\n', comment.start - 1) + 1
    const joins = comment.isLine && text.slice(lineStart, comment.start).trim() === ''
    const last = joined.at(-1)
    if (last !== undefined && joins && last.joins && last.lastLine === line - 1) {
      last.text += `\n${comment.text}`
      last.lastLine = line
    } else {
      const plain = comment.text.replaceAll(/^\s*\*+/gm, '')
      joined.push({ line, lastLine: lineOf(comment.end), joins, text: plain })
    }
  }
  return joined.map(({ line, text: content }) => ({ line, text: content }))
}

/** Replaces everything but line breaks with spaces, so that offsets and lines stay. */
export function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ')
}
