import { expect, test } from 'vitest'
import { generators, hostileRequest, type GeneratorName } from './hostile-request.ts'

const names = Object.keys(generators) as GeneratorName[]
const make = (name: GeneratorName, seed: number, index: number) =>
  hostileRequest({ [name]: 1 }, seed, index, 'key')

test.each(names)(
  '%s: a seed and a number always make the same request, others make others',
  (name) => {
    const bytes = Array.from({ length: 60 }, (_, index) => make(name, 1, index).bytes)
    for (const [index, one] of bytes.entries())
      expect(make(name, 1, index).bytes.equals(one), `request ${index}`).toBe(true)
    expect(new Set(bytes.map(String)).size).toBeGreaterThan(30)
    expect(make(name, 2, 0).bytes.equals(make(name, 1, 0).bytes)).toBe(false)
  },
)

test('a body that loses all members, and copies of copies, make requests too', () => {
  const front = { 'chat-mutation': 55, 'raw-bytes': 20, headers: 20, prompts: 5 }
  expect(String(hostileRequest(front, 2, 157_669, 'key').bytes)).toMatch(/\r\n\r\n\{\}$/)
  expect(make('chat-mutation', 2, 97_353).bytes.length).toBeLessThan(20_000_000)
})

test('a mix draws each of its generators about as often as it says', () => {
  const drawn = Array.from({ length: 1000 }, (_, i) =>
    hostileRequest({ patterns: 3, headers: 1 }, 1, i, 'key'),
  )
  const patterns = drawn.filter(({ generator }) => generator === 'patterns').length
  expect(patterns).toBeGreaterThan(650)
  expect(patterns).toBeLessThan(850)
})
