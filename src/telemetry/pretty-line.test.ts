import { expect, test } from 'vitest'
import { prettyLine } from './pretty-line.ts'

const at = (hours: number, minutes: number, seconds: number) =>
  new Date(2026, 0, 2, hours, minutes, seconds).toISOString()

test('a log line for a person has the time, the level, the message and the fields', () => {
  const record = {
    level: 40,
    time: at(9, 5, 7),
    msg: 'the grace period is over',
    count: 3,
    code: 'a b',
  }
  expect(prettyLine(JSON.stringify(record), false)).toBe(
    '09:05:07 warn  the grace period is over count=3 code="a b"\n',
  )
  expect(prettyLine(JSON.stringify({ ...record, count: 1 }), true)).toContain('\u001B[33mwarn ')
})

test('errors and their causes follow on lines of their own', () => {
  const error = [{ name: 'Error', message: 'a', stack: 'Error: a\n    at x' }, { message: 'b' }]
  const record = { level: 50, time: at(23, 0, 0), msg: 'failed', error }
  expect(prettyLine(JSON.stringify(record), false)).toBe(
    '23:00:00 error failed\n           Error: a\n           at x\n           b\n',
  )
})

test('no text of a record controls the terminal', () => {
  const hostile = 'a\u001B[2J\u0007\u009B'
  const error = [{ name: 'Error', message: hostile, stack: `Error: ${hostile}` }]
  const record = {
    level: 50,
    time: at(23, 0, 0),
    msg: hostile,
    model: hostile,
    other: `${hostile} b`,
    error,
  }
  expect(prettyLine(JSON.stringify(record), false)).toMatch(/^[\P{Cc}\n]+$/u)
})

test('a line that is no record of the log stays as it is', () => {
  for (const line of ['plain text\n', '3\n', '{"a":1}\n']) expect(prettyLine(line, true)).toBe(line)
})
