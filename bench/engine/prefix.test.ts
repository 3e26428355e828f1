import { expect, test } from 'vitest'
import { setupOf } from './prefix.ts'

test('prefixes are compared without speculation, which the peers do not use', () => {
  expect(setupOf(2).settings).toEqual({ PIPIT_SPECULATIVE_TOKENS: '0' })
})
