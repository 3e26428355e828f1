import { expect, test } from 'vitest'
import { nextAnnouncement } from './announcement.ts'

test('whole sentences are announced, and an unfinished one waits', () => {
  expect(nextAnnouncement('One. Two three', false)).toBe('One.')
  expect(nextAnnouncement(' Two three', false)).toBe('')
  expect(nextAnnouncement(' Two three', true)).toBe(' Two three')
  expect(nextAnnouncement('Version 2.5 is', false)).toBe('')
})

test('no announcement exceeds 600 characters, and every character is announced once', () => {
  const text = 'word '.repeat(500)
  let rest = text
  while (rest !== '') {
    const next = nextAnnouncement(rest, true)
    expect(next.length).toBeGreaterThan(0)
    expect(next.length).toBeLessThanOrEqual(600)
    rest = rest.slice(next.length)
  }
})
