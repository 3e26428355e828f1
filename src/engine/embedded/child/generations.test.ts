import { serialize } from 'node:v8'
import { expect, test } from 'vitest'
import { detectDialect } from '../../dialect/detect-dialect.ts'
import type { ThoughtState } from '../../dialect/dialect.ts'
import { parseChildMessage, type StepEvent } from '../ipc.ts'
import { Generations } from './generations.ts'
import { stepMessages } from './step-messages.ts'

const spaces = ' '.repeat(1000)
/** Texts of the tokens; the token is the index. */
const vocabulary = [spaces, ' ', 'a', '</think>', 'é'.repeat(500), '🐦'.repeat(1000), '<']
const id = 1
const kinds = { token: 0, stop: 2, length: 3, logprob: 6 }

type Reply = {
  text: string
  reasoning: string
  tokens: number
  entries: string[]
  logprobs: number[]
  ends: string[]
}

/** Generates a reply of these tokens, one in each step. Reads each message as the parent process would. */
function generate(
  tokens: readonly number[],
  {
    thought = 'none',
    top = [],
    logprob = 0,
    template = "{{ message.content.split('</think>')[-1] }}",
    end = 'length',
  }: {
    thought?: ThoughtState
    top?: readonly number[]
    logprob?: number
    template?: string
    end?: 'stop' | 'length'
  } = {},
): Reply {
  const generations = new Generations({
    engine: { submit: () => 0, abort: () => {} },
    vocabulary: {
      bytesOf: (token) => Buffer.from(vocabulary[token] ?? ''),
      textOf: (token = -1) => vocabulary[token] ?? '',
    },
    thoughts: undefined,
    facts: { dialect: detectDialect(template) },
  })
  const sampling = { temperature: 0, topP: 1, topK: 0, minP: 0, seed: 1 }
  const prompt = { tokens: Int32Array.of(1), replies: Int32Array.of(), thought }
  const request = { prompt, maxTokens: tokens.length, stop: [], cacheScope: 'a', sampling }
  generations.start({ type: 'generate', id, request, known: undefined }, undefined)
  const [bits = 0] = new Int32Array(Float32Array.of(logprob).buffer)
  const steps = tokens.map((token) => {
    const candidates = top.length === 0 ? [] : [token, ...top]
    const logprobs = candidates.flatMap((candidate) => [id, kinds.logprob, candidate, bits])
    return [...logprobs, id, kinds.token, token, 0]
  })
  return read(
    [...steps, [id, kinds[end], 0, 0]].map((step) => generations.takeStep(Int32Array.from(step))),
  )
}

function read(steps: readonly StepEvent[][]): Reply {
  const reply: Reply = { text: '', reasoning: '', tokens: 0, entries: [], logprobs: [], ends: [] }
  for (const sent of steps.flatMap(stepMessages)) {
    expect(serialize(sent).length).toBeLessThan(8 * 1024 * 1024)
    const message = parseChildMessage(sent)
    if (message?.type !== 'step') throw new Error('the parent refuses a message of this step')
    for (const event of message.events) {
      if (event.type === 'finish') reply.ends.push(event.reason)
      if (event.type !== 'delta') continue
      expect([event.text.isWellFormed(), event.reasoning?.isWellFormed()]).not.toContain(false)
      reply.text += event.text
      reply.reasoning += event.reasoning ?? ''
      reply.tokens += event.tokens
      reply.entries.push(...(event.logprobs ?? []).map(({ text }) => text))
      reply.logprobs.push(...(event.logprobs ?? []).map(({ logprob }) => logprob))
    }
  }
  return reply
}

const repeated = (token: number, count: number): number[] => Array<number>(count).fill(token)

test('a reply of white space alone reaches the parent, however long it is', () => {
  const reply = generate(repeated(0, 1100))
  expect(reply).toMatchObject({ tokens: 1100, reasoning: '', ends: ['length'] })
  expect(reply.text === spaces.repeat(1100)).toBe(true)
})

test('a thought with much white space reaches the parent, however long it is', () => {
  const tokens = [2, ...repeated(0, 1100), 2, 3, 2]
  const reply = generate(tokens, { thought: 'open' })
  expect(reply).toMatchObject({ text: 'a', tokens: 1104, ends: ['length'] })
  expect(reply.reasoning === `a${spaces.repeat(1100)}a`).toBe(true)
  const unended = generate([2, ...repeated(0, 1100)], { thought: 'open' })
  expect(unended.reasoning === `a${spaces.repeat(1100)}`).toBe(true)
})

test('log-probabilities of white space reach the parent, however large they are', () => {
  // It is white space until its end, so all entries are sent at the end.
  const reply = generate(repeated(1, 300), { top: repeated(4, 20) })
  expect(reply).toMatchObject({ text: ' '.repeat(300), tokens: 300, ends: ['length'] })
  expect(reply.entries).toEqual(Array<string>(300).fill(' '))
})

test('what may be the start of a mark is text where the reply ends by itself, and dropped where it is cut', () => {
  const template = '<|start|>assistant<|channel|>analysis<|message|>'
  expect(generate([6], { template, end: 'stop' })).toMatchObject({ text: '<', ends: ['stop'] })
  expect(generate([6], { template })).toMatchObject({ text: '', ends: ['length'] })
})

test('minus infinity, which no JSON of a kept reply can express, is -9999', () => {
  expect(generate([2], { top: [2], logprob: -Infinity }).logprobs).toEqual([-9999])
})

test('a large text is divided between characters, and its tokens are counted once', () => {
  const text = `a${'🐦'.repeat(700_000)}`
  const delta = { type: 'delta', id, text, tokens: 2, sampled: [5, 5] } as const
  const thought = { reasoning: text, reasoningTokens: 1 }
  const reply = read([[delta], [{ ...delta, ...thought }]])
  expect(reply.text === text + text).toBe(true)
  expect(reply.reasoning === text).toBe(true)
  expect(reply.tokens).toBe(4)
  const [first, ...others] = stepMessages([{ ...delta, ...thought }]).flatMap(
    (message) => message.events,
  )
  expect(first).toMatchObject({ text: '', tokens: 2, sampled: [5, 5], reasoningTokens: 1 })
  expect(others).toHaveLength(43)
  for (const other of others)
    expect(other).toMatchObject({ tokens: 0, sampled: [], reasoningTokens: 0 })
})

test('the events of many generations are sent in messages of bounded size, in their order', () => {
  const entry = { text: spaces, bytes: [...Buffer.from(spaces)], logprob: 0 }
  const logprobs = Array.from({ length: 40 }, () => ({
    ...entry,
    top: repeated(0, 20).map(() => entry),
  }))
  const ids = Array.from({ length: 2000 }, (_, index) => index)
  const large = ids.slice(0, 64).flatMap((one): StepEvent[] => [
    { type: 'delta', id: one, text: '', tokens: 1, sampled: [0], logprobs },
    { type: 'finish', id: one, reason: 'length', completionTokens: 1 },
  ])
  expect(read([large])).toMatchObject({ tokens: 64, ends: Array(64).fill('length') })
  const small = ids.map((one): StepEvent => ({ type: 'failed', id: one }))
  const sent = stepMessages(small)
  expect(sent.flatMap(({ events }) => events)).toEqual(small)
  expect(sent.map((message) => parseChildMessage(message))).toEqual(sent)
  expect(stepMessages([])).toEqual([])
})
