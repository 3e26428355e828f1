import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runSabotages } from './run-sabotages.ts'

/** Stands in for vitest. The first test fails if the sum is broken, the second one always. */
const runner = `
import { readFileSync, writeFileSync } from 'node:fs'
const outputFile = process.argv.find((word) => word.startsWith('--outputFile=')).split('=')[1]
const isWhole = readFileSync('test/sum.ts', 'utf8').includes('a + b')
const result = (title, passes) => ({
  ancestorTitles: [],
  title,
  status: passes ? 'passed' : 'failed',
  failureMessages: passes ? [] : ['AssertionError: ' + title],
})
const assertionResults = [result('adds', isWhole), result('always fails', false)]
const name = process.cwd() + '/test/sum.test.ts'
writeFileSync(outputFile, JSON.stringify({ testResults: [{ name, message: '', assertionResults }] }))
`

function smallCheckout(): string {
  const root = mkdtempSync(join(tmpdir(), 'pipit-test-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const files = {
    '.gitignore': 'node_modules\n',
    'test/sum.ts': 'export const sum = (a, b) => a + b\n',
    'test/sum.test.ts': `test('adds')\ntest('always fails')\n`,
    'node_modules/vitest/vitest.mjs': runner,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  return root
}

test('a sabotage counts as noticed only if its test passes without it', async () => {
  const sabotageOf = (title: string) => ({
    id: 'F06',
    breaks: 'The sum is a difference.',
    file: 'test/sum.ts',
    find: 'a + b',
    replace: 'a - b',
    test: { file: 'test/sum.test.ts', title },
  })
  const results = await runSabotages(['adds', 'always fails'].map(sabotageOf), {
    root: smallCheckout(),
    signal: new AbortController().signal,
    log: () => {},
    keep: () => {},
  })
  expect(results.map(({ outcome, message }) => [outcome, message])).toEqual([
    ['red', 'AssertionError: adds'],
    ['not run', 'fails without the sabotage: AssertionError: always fails'],
  ])
})
