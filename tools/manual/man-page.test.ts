import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { manPage, renderManPage } from './man-page.ts'

const page = readFileSync(manPage, 'utf8')

test('docs/pipit.1 is what the commands and the settings say', () => {
  expect(page, 'run `npm run reference`').toBe(renderManPage())
})

test('the man page has each command with its options, and each setting', () => {
  expect(page).toContain('.SS pipit keys create [options]')
  expect(page).toContain('.B \\-\\-scopes <list>')
  expect(page).toContain('.B PIPIT_TLS_CERT')
  // The page is installed without the clone.
  expect(page).not.toContain('npm run \\-s pipit \\-\\-\n')
  expect(page).not.toMatch(/[^\n -~]/)
})

test('man shows the page without a warning', ({ skip }) => {
  const environment = { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '80' }
  const run = spawnSync('man', ['--warnings', '-l', manPage], {
    encoding: 'utf8',
    env: environment,
  })
  skip(run.error !== undefined, 'man is not installed')
  expect([run.status, run.stderr]).toEqual([0, ''])
  expect(run.stdout).toContain('pipit models pull [options] <model>')
})

test('mandoc finds no fault in the page', ({ skip }) => {
  const run = spawnSync('mandoc', ['-Tlint', '-Wwarning', manPage], { encoding: 'utf8' })
  skip(run.error !== undefined, 'mandoc is not installed')
  // A date would make the page differ from day to day.
  const faults = run.stdout.split('\n').filter((line) => !/^$|missing date/.test(line))
  expect(faults).toEqual([])
})
