import { beforeEach, describe, expect, test } from 'vitest'
import { grammarQuickWorkMax, grammarWorkMax } from '../../../limits.ts'
import type { PromptCaller } from '../../engine.ts'
import type { ParentMessage } from '../ipc.ts'
import { Quarantine } from '../quarantine.ts'
import { Prepares } from './prepares.ts'

const never = new AbortController().signal
const schema = { type: 'json_schema', schema: '{}', at: 'response_format' } as const
const prompt = { tokens: Int32Array.of(1), replies: new Int32Array() }

let sent: ParentMessage[]
let isReady: boolean
let quarantine: Quarantine
let prepares: Prepares
let lastId: number
beforeEach(() => {
  sent = []
  isReady = true
  lastId = 0
  quarantine = new Quarantine(() => 0)
  prepares = new Prepares((message) => {
    if (isReady) sent.push(message)
    return isReady
  }, quarantine)
})

/** Prepares a conversation with this number of characters; its id is the number of this call. */
function ask(
  chars: number,
  signal = never,
  format?: typeof schema,
  caller?: PromptCaller,
): Promise<string> {
  lastId += 1
  const messages = [{ role: 'user', content: 'a'.repeat(chars) }] as const
  return prepares.prepare(lastId, messages, signal, { format, caller }).then(
    () => 'prepared',
    (error: Error) => error.message,
  )
}
const ids = (type: ParentMessage['type']): number[] =>
  sent.flatMap((message) => (message.type === type && 'id' in message ? [message.id] : []))
const answer = (id: number, type: 'postponed' | 'cancelled'): void =>
  prepares.handle({ type, id }, 512)
const finish = (id: number): void => prepares.handle({ type: 'prepared', id, prompt }, 512)

describe('lines (T18, T48, T49)', () => {
  test('the engine process has one large conversation at a time, and every small one at once', async () => {
    const large = [ask(100_000), ask(100_000), ask(100_000)]
    void ask(20_000)
    void ask(10)
    void ask(10)
    expect(ids('prepare')).toEqual([1, 4, 5, 6])
    finish(1)
    await expect(large[0]).resolves.toBe('prepared')
    expect(ids('prepare')).toEqual([1, 4, 5, 6, 2])
  })

  test('a conversation of many short calls is no small one', () => {
    const call = { id: 'call_1', name: 'a'.repeat(64), arguments: '{}' }
    const messages = [{ role: 'assistant', content: '', toolCalls: Array(128).fill(call) }] as const
    for (const id of [1, 2, 3]) void prepares.prepare(id, messages, never, {})
    expect(ids('prepare')).toEqual([1])
  })

  test('a schema that needs more than a first attempt waits in another line', () => {
    for (let count = 0; count < 4; count++) void ask(10, never, schema)
    expect(ids('prepare')).toEqual([1, 2])
    answer(1, 'postponed')
    answer(2, 'postponed')
    expect(ids('prepare')).toEqual([1, 2, 3, 1, 4])
    finish(1)
    expect(ids('prepare')).toEqual([1, 2, 3, 1, 4, 2])
    const works = sent.map((message) => (message.type === 'prepare' ? message.workMax : 0))
    expect(works).toEqual([
      grammarQuickWorkMax,
      grammarQuickWorkMax,
      grammarQuickWorkMax,
      grammarWorkMax,
      grammarQuickWorkMax,
      grammarWorkMax,
    ])
  })
})

describe('callers take turns', () => {
  const medium = 20_000
  const alice = { accountId: 'alice', keyId: 'one' }
  const bob = { accountId: 'bob', keyId: 'one' }
  const askMany = (count: number, ...wanted: Parameters<typeof ask>): void => {
    for (let index = 0; index < count; index += 1) void ask(...wanted)
  }

  test('so a key with many conversations delays another key only by the one in work', () => {
    const aliceAsks = () => void ask(medium, never, undefined, alice)
    for (let count = 0; count < 5; count += 1) aliceAsks()
    void ask(medium, never, undefined, bob)
    void ask(medium, never, undefined, bob)
    for (const id of [1, 6, 2, 7]) {
      aliceAsks()
      finish(id)
    }
    // The conversations of one key keep their order.
    expect(ids('prepare')).toEqual([1, 6, 2, 7, 3])
  })

  test('the keys of an account share the turns of the account', () => {
    askMany(3, medium, never, undefined, alice)
    askMany(3, medium, never, undefined, { ...alice, keyId: 'two' })
    askMany(3, medium, never, undefined, bob)
    for (const id of [1, 7, 2, 8, 4, 9, 3, 5]) finish(id)
    expect(ids('prepare')).toEqual([1, 7, 2, 8, 4, 9, 3, 5, 6])
  })

  test('and an account that sends one conversation after the other overtakes none', () => {
    const callers = ['a', 'b', 'c'].map((accountId) => ({ accountId, keyId: 'one' }))
    askMany(1, medium, never, undefined, callers[0])
    askMany(1, medium, never, undefined, callers[1])
    askMany(2, medium, never, undefined, callers[2])
    finish(1)
    askMany(1, medium, never, undefined, callers[0])
    finish(2)
    askMany(1, medium, never, undefined, callers[1])
    for (const id of [3, 5, 6]) finish(id)
    expect(ids('prepare')).toEqual([1, 2, 3, 5, 6, 4])
  })

  test('also with small conversations whose schemas may not be compiled yet', () => {
    askMany(20, 10, never, schema, alice)
    void ask(10, never, schema, bob)
    expect(ids('prepare')).toEqual([1, 2])
    answer(1, 'postponed')
    expect(ids('prepare')).toEqual([1, 2, 21, 1])
  })

  test('and a hang-up gives the turn to the next', () => {
    const leaving = new AbortController()
    void ask(medium, never, undefined, alice)
    void ask(medium, leaving.signal, undefined, bob)
    void ask(medium, never, undefined, alice)
    leaving.abort(new Error('gone'))
    finish(1)
    expect(ids('prepare')).toEqual([1, 3])
  })
})

describe('a hang-up (T48)', () => {
  test('drops what waits, and cancels what the engine process has', async () => {
    const caller = new AbortController()
    const left = Array.from({ length: 40 }, () => ask(100_000, caller.signal))
    const next = ask(100_000)
    caller.abort(new Error('gone'))
    expect(await Promise.all(left)).toEqual(Array.from({ length: 40 }, () => 'gone'))
    expect(ids('cancel')).toEqual([1])
    answer(1, 'cancelled')
    expect(ids('prepare')).toEqual([1, 41])
    finish(41)
    await expect(next).resolves.toBe('prepared')
  })

  test('of a postponed conversation ends it', async () => {
    const caller = new AbortController()
    const left = ask(10, caller.signal, schema)
    caller.abort(new Error('gone'))
    await expect(left).resolves.toBe('gone')
    answer(1, 'postponed')
    expect(ids('prepare')).toEqual([1])
  })
})

describe('when the engine process exits (F03, T47)', () => {
  const crash = (): void => {
    isReady = false
    quarantine.strike(prepares.inWork())
    prepares.handleExit()
    isReady = true
    prepares.handleReady()
  }

  test('all wanted conversations are sent again in their order', () => {
    void ask(100_000)
    void ask(100_000)
    void ask(10)
    crash()
    expect(ids('prepare')).toEqual([1, 3, 3, 1])
  })

  test('only those that it worked on are struck', async () => {
    const inWork = ask(100_000)
    const waiting = ask(100_001)
    const oldest = ask(10)
    const unread = ask(11)
    crash()
    crash()
    expect(await inWork).toMatch('stopped twice')
    expect(await oldest).toMatch('stopped twice')
    finish(2)
    finish(4)
    expect(await waiting).toBe('prepared')
    expect(await unread).toBe('prepared')
  })

  test('a cancelled one is forgotten', () => {
    const caller = new AbortController()
    void ask(100_000, caller.signal)
    caller.abort(new Error('gone'))
    crash()
    expect(ids('prepare')).toEqual([1])
  })
})

test('a request for whose preparation the machine is too busy gets overloaded, with a time to retry', async () => {
  const asked = prepares.prepare(1, [{ role: 'user', content: 'Hello' }], never, {})
  const refusal = { reason: 'busy', message: 'it got too little processor time', path: '' } as const
  prepares.handle({ type: 'refused', id: 1, ...refusal }, 512)
  await expect(asked).rejects.toMatchObject({
    code: 'overloaded',
    retryAfterMs: 2000,
    cause: expect.objectContaining({ message: refusal.message }),
  })
})

test('a conversation that cannot fit is refused with the number of tokens that it has at least', async () => {
  const asked = ask(100_000)
  prepares.handle({ type: 'tooLong', id: 1, tokensMin: 7000 }, 512)
  expect(await asked).toMatch(/length is 512 tokens\. Your messages have at least 7000 tokens/)
})

test.each([
  ['spaces', ' '],
  ['digits', '7'],
])('a small conversation with a long row of %s is not prepared at once', (_, character) => {
  const contents = [`a${character.repeat(255)}b`, `a${character.repeat(256)}b`]
  for (const [id, content] of contents.entries())
    void prepares.prepare(id, [{ role: 'user', content }], never, {})
  expect(sent).toMatchObject([{ isSmall: true }, { isSmall: false }])
})
