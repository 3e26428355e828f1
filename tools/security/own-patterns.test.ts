import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'

const textChars = 50_000
/** Limit for one text. A quadratic pattern needs a second for a text of this length; an exponential one never ends. */
const timeMsMax = 300
const attempts = 3

test('no regular expression of the service takes long for any of many hostile texts (T26)', () => {
  const patterns = ownPatterns()
  expect(patterns.length).toBeGreaterThan(50)
  const slow = patterns.flatMap(({ path, pattern }) => {
    const text = hostileTexts(pattern.source).find((one) => isSlow(pattern, one))
    return text === undefined
      ? []
      : [`${path}: ${pattern} for ${JSON.stringify(text.slice(0, 40))}…`]
  })
  expect(slow).toEqual([])
}, 300_000)

test('a quadratic pattern would be found', () => {
  const spaces = hostileTexts('\\s+$').find((text) => text.startsWith('  '))
  expect(isSlow(/\s+$/, spaces ?? '', 1)).toBe(true)
})

/** Returns the pattern literals of src/. Patterns that are built at run time are left to the tests of their modules. */
function ownPatterns(): { path: string; pattern: RegExp }[] {
  const list = execFileSync('git', ['ls-files', 'src/**/*.ts'], {
    cwd: packageRoot,
    encoding: 'utf8',
  })
  const paths = list.split('\n').filter((path) => path !== '' && !path.endsWith('.test.ts'))
  return paths.flatMap((path) => {
    const found: { path: string; pattern: RegExp }[] = []
    new Visitor({
      Literal(node) {
        if (!('regex' in node)) return
        const { pattern, flags } = node.regex
        found.push({ path, pattern: new RegExp(pattern, flags.replaceAll(/[gy]/g, '')) })
      },
    }).visit(parseSync(path, readFileSync(join(packageRoot, path), 'utf8')).program)
    return found
  })
}

/**
 * Returns texts that repeat one or two characters. The characters come from the pattern or from a fixed list. The
 * end of each text matches nothing.
 */
function hostileTexts(source: string): string[] {
  const own = [...new Set(source.replaceAll(/\\[a-zA-Z]|[()[\]{}*+?^$|\\]/g, ''))]
  const chars = [...new Set([...own.slice(0, 12), 'a', '0', ' ', '\n', '.', 'é'])]
  const units = [...chars, ...chars.flatMap((one) => [`${one}a`, `a${one}`, `${one}0`, `${one} `])]
  return [...new Set(units)].map((unit) => `${unit.repeat(textChars / unit.length)}\0!`)
}

function isSlow(pattern: RegExp, text: string, times = attempts): boolean {
  return Array.from({ length: times }).every(() => {
    const startMs = performance.now()
    pattern.test(text)
    return performance.now() - startMs > timeMsMax
  })
}
