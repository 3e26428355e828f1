import { expect, test } from 'vitest'
import { FairOrder, type Turn } from './fair-order.ts'
import { linesMax } from './queue-limits.ts'
import { parseWeights, Weights } from './weights.ts'

const alice = { accountId: 'alice', keyId: 'a' }
const bob = { accountId: 'bob', keyId: 'b' }
const carol = { accountId: 'carol', keyId: 'c' }
type Holder = typeof alice

/** Serves requests with a prompt of one token, one at a time or in several slots. */
class Bench {
  readonly order: FairOrder
  readonly #names = new Map<Turn, string>()

  constructor(slots = 1, weights = new Weights()) {
    this.order = new FairOrder(slots, weights)
  }

  add(name: string, holder: Holder, endUser = ''): void {
    const line = this.order.lineOf(holder, endUser)
    this.order.lift(line)
    const turn = { line, slots: 1, promptTokens: 1, outputTokens: 9 }
    this.order.add(turn, 0)
    this.#names.set(turn, name)
  }

  /** Starts the next request. Returns its name and a function that ends it after `tokens` completion tokens. */
  start(): { name: string; end: (tokens?: number) => void } {
    const turn = this.order.next()
    if (turn === undefined) return { name: '', end: () => {} }
    const { line } = turn
    this.order.remove(turn)
    this.order.start(line, 1, 1)
    const end = (tokens = 9) => {
      this.order.charge(line, tokens)
      this.order.end(line, 1)
    }
    return { name: this.#names.get(turn) ?? '', end }
  }

  /** Serves all waiting requests in one slot, and returns their names in order. */
  serve(tokensOf: (name: string) => number = () => 9): string {
    const names: string[] = []
    for (;;) {
      const { name, end } = this.start()
      if (name === '') return names.join(' ')
      names.push(name)
      end(tokensOf(name))
    }
  }
}

test('accounts get equal tokens, not equal numbers of requests (T51)', () => {
  const bench = new Bench()
  for (const name of ['a1', 'a2', 'a3']) bench.add(name, alice)
  for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) bench.add(name, bob)
  // Each of Alice's requests has as many tokens as three of Bob's.
  const tokens = (name: string) => (name.startsWith('a') ? 29 : 9)
  expect(bench.serve(tokens)).toBe('a1 b1 b2 b3 a2 b4 b5 a3')
})

test('end users of one key take turns, and those without a name count as one (T51)', () => {
  const bench = new Bench()
  for (let i = 1; i <= 4; i += 1) bench.add(`h${i}`, alice, 'heavy')
  bench.add('l1', alice, 'light')
  bench.add('n1', alice)
  bench.add('n2', alice)
  expect(bench.serve()).toBe('h1 l1 n1 h2 n2 h3 h4')
})

test('many end users of one key get no more than one end user of another account (T51)', () => {
  const bench = new Bench()
  for (let i = 1; i <= 4; i += 1) bench.add(`a${i}`, alice, `user ${i}`)
  bench.add('b1', bob)
  bench.add('b2', bob)
  expect(bench.serve()).toBe('a1 b1 a2 b2 a3 a4')
})

test('a new end user comes before one that holds slots and has 100 waiting requests (T51)', () => {
  const bench = new Bench(4)
  for (let i = 1; i <= 104; i += 1) bench.add(`h${i}`, alice, 'heavy')
  const running = [bench.start(), bench.start(), bench.start(), bench.start()]
  bench.add('l1', alice, 'light')
  running[0]?.end()
  expect(bench.start().name).toBe('l1')
})

test('a member that was idle has saved nothing up', () => {
  const bench = new Bench()
  for (let i = 0; i < 50; i += 1) {
    bench.add('early', alice)
    bench.serve()
  }
  for (const name of ['b1', 'b2', 'b3']) bench.add(name, bob)
  expect(bench.serve()).toBe('b1 b2 b3')
  // Bob's counter would be 30, far below Alice's 500, but it was lifted to hers.
  for (const name of ['a1', 'a2', 'a3']) bench.add(name, alice)
  for (const name of ['b4', 'b5', 'b6']) bench.add(name, bob)
  expect(bench.serve()).toBe('a1 a2 b4 a3 b5 b6')
})

test('while another key waits, no key gets more slots than its share', () => {
  const bench = new Bench(4)
  for (let i = 1; i <= 6; i += 1) bench.add(`a${i}`, alice)
  for (let i = 1; i <= 6; i += 1) bench.add(`b${i}`, bob)
  bench.start().end(1000)
  // Bob is owed 1,000 tokens, and still gets no more than half of the slots.
  const names = Array.from({ length: 4 }, () => bench.start().name)
  expect(names).toEqual(['b1', 'b2', 'a2', 'a3'])
})

test('a member that is alone gets every slot', () => {
  const bench = new Bench(4)
  for (let i = 1; i <= 5; i += 1) bench.add(`a${i}`, alice)
  expect(Array.from({ length: 4 }, () => bench.start().name)).toEqual(['a1', 'a2', 'a3', 'a4'])
})

test('weights share the tokens of accounts and of keys', () => {
  const bench = new Bench(1, parseWeights('alice=2,thin=0.5'))
  for (let i = 1; i <= 4; i += 1) bench.add(`a${i}`, alice)
  for (let i = 1; i <= 3; i += 1) bench.add(`b${i}`, bob)
  expect(bench.serve()).toBe('a1 b1 a2 a3 b2 a4 b3')
  const thin = { ...carol, keyId: 'other', name: 'thin' }
  for (let i = 1; i <= 4; i += 1) bench.add(`c${i}`, carol)
  for (let i = 1; i <= 2; i += 1) bench.add(`t${i}`, thin)
  expect(bench.serve()).toBe('c1 t1 c2 c3 t2 c4')
})

test('what is served before a request counts the share of the others, not all that they have waiting', () => {
  const bench = new Bench()
  const sizeOf = ({ waiting }: { waiting: number }) => waiting
  const ahead = (holder: Holder, endUser: string) => {
    const line = bench.order.lineOf(holder, endUser)
    bench.order.lift(line)
    return bench.order.ahead(line, line.waiting, sizeOf, 1 / 10)
  }
  for (let i = 1; i <= 100; i += 1) bench.add(`h${i}`, alice, 'heavy')
  expect(ahead(alice, 'heavy')).toBe(100)
  // The counters are equal, so one request of the heavy user, who came earlier, is served first.
  expect(ahead(alice, 'light')).toBe(1)
  expect(ahead(bob, '')).toBe(1)
  bench.add('l1', alice, 'light')
  bench.add('b1', bob)
  // The light user's own request, two requests of the heavy user, and Bob's request.
  expect(ahead(alice, 'light')).toBe(4)
  expect(ahead(alice, 'heavy')).toBe(102)
})

test('idle members are forgotten beyond a maximum, the least recently used first', () => {
  const bench = new Bench()
  bench.add('waits', bob, 'waits')
  const first = bench.order.lineOf(alice, 'user 0')
  for (let i = 0; i < linesMax + 100; i += 1) {
    bench.order.lineOf(alice, `user ${i}`)
    expect(bench.order.lines).toBeLessThanOrEqual(linesMax)
  }
  const kept = bench.order.lineOf(alice, `user ${linesMax + 99}`)
  expect(bench.order.lineOf(alice, `user ${linesMax + 99}`)).toBe(kept)
  expect(bench.order.lineOf(alice, 'user 0')).not.toBe(first)
  expect(bench.start().name).toBe('waits')
})

test('any mixture of members ends with empty counts, and each request is served once', () => {
  const bench = new Bench(3)
  const holders = [alice, bob, carol]
  const open: (() => void)[] = []
  const served: string[] = []
  // A linear congruential generator yields the same numbers in every run.
  let state = 7
  const random = (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state >>> 8) % below
  }
  for (let i = 0; i < 500; i += 1) {
    bench.add(`r${i}`, holders[random(3)] ?? alice, `u${random(4)}`)
    while (open.length < 3) {
      const { name, end } = bench.start()
      if (name === '') break
      served.push(name)
      open.push(() => end(random(100)))
    }
    if (random(3) > 0) open.shift()?.()
  }
  for (const end of open) end()
  while (bench.order.waiting > 0) {
    const { name, end } = bench.start()
    served.push(name)
    end()
  }
  expect(new Set(served).size).toBe(500)
  for (const holder of holders) {
    const { isIdle, parent, size } = bench.order.lineOf(holder, 'u0')
    expect([isIdle, parent?.isIdle, size.slots, parent?.size.slots]).toEqual([true, true, 0, 0])
  }
})
