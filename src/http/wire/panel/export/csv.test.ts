import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('a CSV file quotes what RFC 4180 wants quoted, and leaves null empty', () => {
  const rows = [
    { name: 'a,b', count: 1 },
    { name: 'says "hi"\n', count: null },
  ]
  expect(toCsv(['name', 'count'], rows)).toBe('name,count\r\n"a,b",1\r\n"says ""hi""\n",\r\n')
})

test.each(['=1+1', '+1', '-1', '@sum', '\tx'])('a name such as %j is no formula', (name) => {
  expect(toCsv(['name'], [{ name }])).toBe(`name\r\n'${name}\r\n`)
})

test('numbers below zero stay numbers', () => {
  expect(toCsv(['count'], [{ count: -1 }])).toBe('count\r\n-1\r\n')
})
