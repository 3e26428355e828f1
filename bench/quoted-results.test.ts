import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** Returns the dates of the saved runs, such as `26 November 2026`, by the anchor of their section. */
function datesOfRuns(): Map<string, string> {
  const runs = read('RESULTS.md').matchAll(/^## (.+)\n\n<!-- .+ begins -->\n- (\d{4}-\d\d-\d\d) /gm)
  return new Map(
    Array.from(runs, ([, title = '', day = '']) => [
      title.replaceAll(',', '').replaceAll(' ', '-'),
      new Date(day).toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      }),
    ]),
  )
}

test('the README names the date of the saved run whose figures it quotes', () => {
  const dates = datesOfRuns()
  const quotes = Array.from(
    read('../README.md').matchAll(/\[(\d+ \w+ \d{4})\]\(bench\/RESULTS\.md#([\w-]+)\)/g),
    ([, date, anchor = '']) => ({ anchor, date }),
  )
  expect(quotes.length).toBeGreaterThan(1)
  expect(quotes).toEqual(quotes.map(({ anchor }) => ({ anchor, date: dates.get(anchor) })))
})
