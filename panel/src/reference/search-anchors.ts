import type { Anchor } from './anchors.ts'

/** Matches that are listed. The others are only counted. */
export const listedMax = 30

/**
 * Returns all anchors whose title or address contains every word. Exact names come first. Among them, and among the
 * others, fields come last.
 */
export function searchAnchors(anchors: readonly Anchor[], wanted: string): Anchor[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const last = (title: string) => title.toLowerCase().split('.').at(-1) ?? ''
  const rank = ({ title, group }: Anchor) =>
    (last(title) === words.join(' ') ? 0 : 10) + (group === 'Field' ? 1 : 0)
  return anchors
    .filter(({ title, address }) => {
      const text = `${title} ${address}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .toSorted((a, b) => rank(a) - rank(b))
}

/** Returns the count of matches, and says when only the first ones are listed. */
export function matchesText(count: number): string {
  if (count === 0) return 'No matches'
  if (count === 1) return '1 match'
  return count > listedMax ? `First ${listedMax} of ${count} matches` : `${count} matches`
}
