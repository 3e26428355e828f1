import { expect, test } from 'vitest'
import { MemoryKills } from './memory-kills.ts'

test('a kill for lack of memory is told until the second call of `note` after it', () => {
  let count: number | undefined = 3
  const kills = new MemoryKills(() => count)
  expect(kills.hasNew).toBe(false)
  count = 4
  expect(kills.hasNew).toBe(true)
  kills.note()
  expect(kills.hasNew).toBe(true)
  kills.note()
  expect(kills.hasNew).toBe(false)
  count = undefined
  expect(kills.hasNew).toBe(false)
})
