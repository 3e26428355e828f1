import { isDeepStrictEqual } from 'node:util'
import type { Engine } from '../../../src/engine/engine.ts'
import type { EmbeddedEngine } from '../../../src/engine/embedded/embedded-engine.ts'
import type { Arithmetic } from '../../../src/engine/engine-settings.ts'
import type { ChatMessage } from '../../../src/engine/engine.ts'
import { collect, never, requestFor, startEngine } from './engine-fixtures.ts'
import { randomNumbers } from '../random/random-numbers.ts'

const turns = 3
/**
 * Question lengths in words. Some prompts are longer than 64 rows, where attention starts to work in tiles. Some need
 * more than 256 KV cells, where attention starts to split its work.
 */
const wordCounts = [1, 3, 8, 14, 15, 16, 17, 18, 30, 50, 70, 110]

type Conversation = {
  readonly messages: ChatMessage[]
  readonly questions: readonly string[]
  readonly replies: string[]
  /** The log-probabilities of each reply's tokens. */
  readonly logprobs: (readonly number[])[]
  readonly scope: string
  readonly temperature: number
  readonly seed: number
}

type Comparison = {
  replies: number
  /** Conversations and turns in which the texts or the log-probabilities differ. */
  different: string[]
  /** Number of second and later turns that found a part of their prompt in the cache. */
  laterTurnsFound: number
  speculativeTokens: number
}

export type ComparisonOptions = {
  modelPath: string
  kvType?: 'f16' | 'q8_0'
  arithmetic?: Arithmetic
  conversations: number
  slots: number
  threads: number
}

/**
 * Compares two engines on random conversations of three turns. The plain engine computes everything anew, one
 * conversation after another. The fast engine uses every optimisation, and answers conversations in parallel.
 */
export async function compareWithPlainEngine(options: ComparisonOptions): Promise<Comparison> {
  const { conversations: count, slots, ...settings } = options
  const random = randomNumbers(7)
  const conversations = Array.from({ length: count }, (_, index) =>
    randomConversation(index, random),
  )
  const plain = await startEngine({ ...settings, slots: 1, cachedTokens: 0, speculativeTokens: 0 })
  try {
    for (const conversation of conversations) await answerAll(plain, conversation)
  } finally {
    await plain.close()
  }
  // The cache holds the KV copies of about half of the conversations; the others are evicted.
  const fast = await startEngine({ ...settings, slots, cachedTokens: 250 * count })
  try {
    return await compare(fast, conversations, slots)
  } finally {
    await fast.close()
  }
}

async function answerAll(plain: Engine, conversation: Conversation): Promise<void> {
  const messages: ChatMessage[] = [...conversation.messages]
  for (const [turn, question] of conversation.questions.entries()) {
    messages.push({ role: 'user', content: question })
    const scope = `${conversation.scope} ${turn}`
    const { text, logprobs } = await answer(plain, conversation, messages, scope)
    conversation.replies.push(text)
    conversation.logprobs.push(logprobs)
    messages.push({ role: 'assistant', content: text })
  }
}

async function compare(
  fast: EmbeddedEngine,
  conversations: readonly Conversation[],
  callers: number,
): Promise<Comparison> {
  const seen: Comparison = { replies: 0, different: [], laterTurnsFound: 0, speculativeTokens: 0 }
  // Goes turn by turn, so that other conversations use a slot between two turns of one conversation.
  for (let turn = 0; turn < turns; turn++) {
    // Alternates the order, because the least recently used prompt is evicted.
    const waiting = turn % 2 === 0 ? [...conversations] : conversations.toReversed()
    const work = async (): Promise<void> => {
      for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
        const { text, logprobs, finish } = await answer(fast, one, historyOf(one, turn), one.scope)
        seen.replies += 1
        const isEqual =
          text === one.replies[turn] && isDeepStrictEqual(logprobs, one.logprobs[turn])
        if (!isEqual) seen.different.push(`${one.scope}, turn ${turn + 1}`)
        if (turn > 0 && finish.cachedTokens > 0) seen.laterTurnsFound += 1
      }
    }
    // The last turn runs one by one: speculative tokens need a batch of one slot.
    await Promise.all(Array.from({ length: turn === turns - 1 ? 1 : callers }, work))
  }
  seen.speculativeTokens = fast.stats().speculativeTokens
  return seen
}

function historyOf(conversation: Conversation, turn: number): ChatMessage[] {
  const messages: ChatMessage[] = [...conversation.messages]
  for (const [index, question] of conversation.questions.slice(0, turn + 1).entries()) {
    if (index > 0)
      messages.push({ role: 'assistant', content: conversation.replies[index - 1] ?? '' })
    messages.push({ role: 'user', content: question })
  }
  return messages
}

async function answer(
  engine: Engine,
  { temperature, seed }: Conversation,
  messages: readonly ChatMessage[],
  cacheScope: string,
) {
  const prompt = await engine.prepare(messages, never)
  const request = requestFor(prompt, {
    maxTokens: 60,
    temperature,
    seed,
    cacheScope,
    topLogprobs: 0,
  })
  return await collect(engine.generate(request, never))
}

function randomConversation(index: number, random: () => number): Conversation {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const words = (count: number): string =>
    Array.from({ length: count }, () => pick(['a', 'the', 'bird', 'sings', 'in', 'spring'])).join(
      ' ',
    )
  // Every third conversation has the same account and the same beginning of its prompt.
  const shared = index % 3 === 0
  return {
    messages: shared
      ? [{ role: 'system', content: 'Be brief, and speak of birds. '.repeat(9) }]
      : [],
    questions: Array.from({ length: turns }, () => words(pick(wordCounts))),
    replies: [],
    logprobs: [],
    scope: shared ? 'shared' : `account ${index}`,
    temperature: index % 4 === 1 ? 1 : 0,
    seed: index,
  }
}
