import { fc } from '../../test/support/random/test-seed.ts'
import { expect, test } from 'vitest'
import { digestOf, generateApiKey, parseApiKey } from './api-key-text.ts'

test('a key consists of the prefix, 43 random characters and a checksum of 6 (T5)', () => {
  expect(generateApiKey((size) => new Uint8Array(size))).toBe(
    'sk-pipit-00000000000000000000000000000000000000000002zCukB',
  )
  expect(generateApiKey()).toMatch(/^sk-pipit-[0-9A-Za-z]{49}$/)
})

test('the digest of a key is the SHA-256 of its whole text (T44)', () => {
  const key = generateApiKey()
  expect(parseApiKey(key)).toBe(digestOf(key))
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('the checksum detects a wrong character', () => {
  fc.assert(
    fc.property(fc.nat(57), fc.string({ minLength: 1, maxLength: 1 }), (place, character) => {
      const key = generateApiKey()
      fc.pre(key.charAt(place) !== character)
      expect(parseApiKey(key.slice(0, place) + character + key.slice(place + 1))).toBeUndefined()
    }),
  )
})

test('other texts are not keys', () => {
  const key = generateApiKey()
  for (const text of [
    '',
    'sk-pipit-',
    key.slice(9),
    key.slice(0, -1),
    `${key}0`,
    `${key}\n`,
    ` ${key}`,
  ])
    expect(parseApiKey(text), JSON.stringify(text)).toBeUndefined()
})

test('every character is equally likely (T5)', () => {
  const counts = new Map<string, number>()
  for (let i = 0; i < 2000; i++)
    for (const character of generateApiKey().slice(9, 52))
      counts.set(character, (counts.get(character) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 86,000 draws of 62 characters: 1387 each on average. 260 is seven standard deviations.
  for (const [character, count] of counts)
    expect(Math.abs(count - 1387), character).toBeLessThan(260)
})
