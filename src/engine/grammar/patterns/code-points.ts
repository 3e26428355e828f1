/** A set of Unicode code points: ascending ranges with gaps between them, both ends included. */
export type CodePoints = readonly (readonly [first: number, last: number])[]

const codePointMax = 0x10ffff

/** All code points except surrogates, which are not characters. */
export const anyCodePoint: CodePoints = [
  [0, 0xd7ff],
  [0xe000, codePointMax],
]

/** The code points up to U+FFFF, except surrogates. */
export const basicPlane: CodePoints = [
  [0, 0xd7ff],
  [0xe000, 0xffff],
]

export function union(...sets: readonly CodePoints[]): CodePoints {
  const ranges = sets.flat().toSorted(([a], [b]) => a - b)
  const joined: [number, number][] = []
  for (const [first, last] of ranges) {
    const before = joined.at(-1)
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else joined.push([first, last])
  }
  return joined
}

export function contains(set: CodePoints, code: number): boolean {
  return set.some(([first, last]) => first <= code && code <= last)
}

/** Returns all code points outside of the set, except surrogates. */
export function complement(set: CodePoints): CodePoints {
  const rest: [number, number][] = []
  let next = 0
  for (const [first, last] of union(set, [[0xd800, 0xdfff]])) {
    if (first > next) rest.push([next, first - 1])
    next = last + 1
  }
  if (next <= codePointMax) rest.push([next, codePointMax])
  return rest
}

/** Returns the range without surrogates. */
export function characters(first: number, last: number): CodePoints {
  const ranges: [number, number][] = []
  if (first < 0xd800) ranges.push([first, Math.min(last, 0xd7ff)])
  if (last > 0xdfff) ranges.push([Math.max(first, 0xe000), last])
  return ranges.filter(([from, to]) => from <= to)
}

export function overlap(set: CodePoints, other: CodePoints): CodePoints {
  return set.flatMap(([first, last]) =>
    other
      .map(([from, to]): [number, number] => [Math.max(first, from), Math.min(last, to)])
      .filter(([from, to]) => from <= to),
  )
}
