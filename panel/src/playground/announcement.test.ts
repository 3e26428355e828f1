import { expect, test } from 'vitest'
import { Announcer, nextAnnouncement } from './announcement.ts'

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

test('a later reply is announced from its start, however long it is at the next announcement', () => {
  const announcer = new Announcer('')
  announcer.update('First one.', true)
  expect(announcer.next()).toBe('First one.')
  announcer.update('', false)
  announcer.update('A second reply. It is longer', false)
  expect(announcer.next()).toBe('A second reply.')
  announcer.update('A second reply. It is longer.', true)
  expect(announcer.next()).toBe(' It is longer.')
  expect(announcer.next()).toBe('')
  // A third one whose empty start was not shown.
  announcer.update('The third reply, which is longer than the second.', true)
  expect(announcer.next()).toBe('The third reply, which is longer than the second.')
})

test('a reply that is shown already is not announced', () => {
  const announcer = new Announcer('From the history.')
  announcer.update('From the history.', true)
  expect(announcer.next()).toBe('')
})
