import { createHash } from 'node:crypto'
import { strftime } from '../../src/engine/embedded/child/jinja/values/strftime.ts'

/** Forms in which the templates write the current date. */
const dateForms = ['%d %b %Y', '%b %d %Y', '%Y-%m-%d', '%B %d, %Y', '%d %B %Y']

/** Returns a short digest of a prompt that was rendered at the time `now`, without its date. */
export function promptDigest(prompt: string, now: Date): string {
  const undated = datesOf(now).reduce((text, date) => text.replaceAll(date, 'TODAY'), prompt)
  return createHash('sha256').update(undated).digest('hex').slice(0, 16)
}

/** Returns the date in the forms of all templates. */
export function datesOf(now: Date): string[] {
  return dateForms.map((form) => strftime(now, form))
}
