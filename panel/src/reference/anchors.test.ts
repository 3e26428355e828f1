import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { OpenApi } from '../../../src/http/reference/openapi.ts'
import { addressOfOldAnchor, anchorsOf } from './anchors.ts'
import { matchesText, searchAnchors } from './search-anchors.ts'

const document = new URL('../../../docs/openapi.json', import.meta.url)
const pinned = new URL('./anchors.txt', import.meta.url)
const api = JSON.parse(readFileSync(document, 'utf8')) as OpenApi
const anchors = anchorsOf(api)

test('no address of the reference disappears: links of others depend on them', () => {
  const today = new Set(anchors.map(({ address }) => address))
  const promised = readFileSync(pinned, 'utf8').trim().split('\n')
  expect(promised.filter((address) => !today.has(address))).toEqual([])
  // Add a new address to anchors.txt, and never remove it.
  expect([...today].filter((address) => !promised.includes(address))).toEqual([])
})

test('no two parts have the same address', () => {
  expect(new Set(anchors.map(({ address }) => address)).size).toBe(anchors.length)
})

test('an anchor of the former long page leads to the page of today', () => {
  expect(addressOfOldAnchor(api, '#createChatCompletion')).toBe(
    '/docs/operations/createChatCompletion',
  )
  expect(addressOfOldAnchor(api, '#schema-Receipt')).toBe('/docs/objects/Receipt')
  expect(addressOfOldAnchor(api, '#nothing')).toBe(undefined)
})

test('the search finds fields, codes and operations, the exact name first', () => {
  const find = (words: string) => searchAnchors(anchors, words)[0]?.address
  expect(find('rate_limit_exceeded')).toBe('/docs/errors#rate_limit_exceeded')
  expect(find('top_logprobs')).toMatch(/#top_logprobs$|\.top_logprobs$/)
  expect(find('tokenize')).toBe('/docs/operations/tokenize')
  expect(find('streaming')).toBe('/docs/streaming')
  expect(searchAnchors(anchors, 'xyzzy')).toEqual([])
})

test('the search counts every match, also those that are not listed', () => {
  const found = searchAnchors(anchors, 'e').length
  expect(found).toBeGreaterThan(100)
  expect(matchesText(found)).toBe(`First 30 of ${found} matches`)
  expect([0, 1, 2, 30].map(matchesText)).toEqual([
    'No matches',
    '1 match',
    '2 matches',
    '30 matches',
  ])
})
