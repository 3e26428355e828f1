/** Text that was read up to a mark. */
type ReadText = {
  readonly before: string
  readonly rest: string
  readonly isFound: boolean
}

/** Reads the text before `mark`. If the mark is not found, a suffix that may be its beginning stays in `rest`. */
export function readUntil(text: string, mark: string): ReadText {
  const at = text.indexOf(mark)
  if (at !== -1)
    return { before: text.slice(0, at), rest: text.slice(at + mark.length), isFound: true }
  const end = text.length - keptOf(text, mark)
  return { before: text.slice(0, end), rest: text.slice(end), isFound: false }
}

/** Reads the text before the first of several marks. If two begin at the same place, the longer one counts. */
export function readUntilAny(text: string, marks: readonly string[]): ReadText {
  const [only = ''] = marks
  if (marks.length === 1) return readUntil(text, only)
  const found = marks
    .map((mark) => ({ mark, at: text.indexOf(mark) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at || b.mark.length - a.mark.length)[0]
  const kept = Math.max(...marks.map((mark) => keptOf(text, mark)))
  // A longer mark may have begun before the one that was found.
  if (found === undefined || text.length - kept < found.at) {
    const end = text.length - kept
    return { before: text.slice(0, end), rest: text.slice(end), isFound: false }
  }
  const rest = text.slice(found.at + found.mark.length)
  return { before: text.slice(0, found.at), rest, isFound: true }
}

/** Returns the length of the longest suffix of the text that is a proper prefix of the mark. */
function keptOf(text: string, mark: string): number {
  let kept = Math.min(mark.length - 1, text.length)
  while (!text.endsWith(mark.slice(0, kept))) kept -= 1
  return kept
}
