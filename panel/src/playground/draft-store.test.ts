import { expect, test } from 'vitest'
import { newMessage } from './conversation.ts'
import { emptyDraft, type Draft } from './draft.ts'
import { draftCharsMax, keepDraft, loadDraft } from './draft-store.ts'
import { newReply } from './reply.ts'
import { defaultSettings } from './settings.ts'

/** As a browser's, with room for so many characters. */
function newStorage(charsMax = Infinity): Storage {
  const texts = new Map<string, string>()
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => {
      if (text.length > charsMax) throw new DOMException('full', 'QuotaExceededError')
      texts.set(name, text)
    },
    removeItem: (name) => texts.delete(name),
    clear: () => texts.clear(),
    key: () => null,
    length: texts.size,
  }
}
const draft: Draft = {
  system: 'Be brief.',
  messages: [newMessage('user', 'Hello 👋'), newMessage('assistant', 'Hi.')],
  input: 'half a wo',
  columns: [{ ...defaultSettings, temperature: '0.' }, defaultSettings],
  replies: [
    {
      ...newReply,
      outcome: { state: 'completed' },
      choices: [{ text: 'So.', finishReason: 'stop', logprobs: [] }],
      requestId: 'req_1',
      usage: {
        prompt_tokens: 4,
        completion_tokens: 2,
        total_tokens: 6,
        prompt_tokens_details: { cached_tokens: 1 },
      },
      firstTokenMs: 12,
      elapsedMs: 40,
      pieces: 1,
    },
    { ...newReply, choices: [{ text: 'Wel', finishReason: undefined, logprobs: [] }] },
  ],
  chosen: { column: 1, choice: 0 },
}

test('a reload finds all that was there; a reply that was running has ended', () => {
  const storage = newStorage()
  expect(keepDraft(storage, 'ada', draft)).toBe(true)
  const { messages, replies, ...rest } = loadDraft(storage, 'ada')
  expect(rest).toEqual({
    system: 'Be brief.',
    input: 'half a wo',
    columns: draft.columns,
    chosen: { column: 1, choice: 0 },
  })
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Hello 👋'],
    ['assistant', 'Hi.'],
  ])
  expect(replies[0]).toEqual(draft.replies[0])
  expect(replies[1]).toMatchObject({
    outcome: { state: 'failed', message: 'The page was left before the reply ended.' },
    choices: [{ text: 'Wel' }],
  })
})

test('another user of the same tab finds nothing of it', () => {
  const storage = newStorage()
  keepDraft(storage, 'ada', draft)
  expect(loadDraft(storage, 'bob')).toEqual(emptyDraft)
})

test('a draft that is too large, or a full storage, is told', () => {
  const large = { ...draft, input: 'x'.repeat(draftCharsMax) }
  expect(keepDraft(newStorage(), 'ada', large)).toBe(false)
  expect(keepDraft(newStorage(100), 'ada', draft)).toBe(false)
})

test.each(['', 'null', '[]', '{"messages": [1, {"role": "root"}], "columns": {}}', '{"replies":'])(
  'a draft that is not one is an empty one: %s',
  (text) => {
    const storage = newStorage()
    storage.setItem('pipit.playground.ada', text)
    expect(loadDraft(storage, 'ada')).toEqual(emptyDraft)
  },
)
