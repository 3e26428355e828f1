import { expect, test } from 'vitest'
import { newMessage } from './conversation.ts'
import { emptyDraft, type Draft } from './draft.ts'
import { saveDraft, loadDraft } from './draft-store.ts'
import { newReply } from './reply.ts'
import { defaultSettings } from './settings.ts'

/** Session storage with a quota. */
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
      fingerprint: 'fp_1',
      usage: {
        prompt_tokens: 4,
        completion_tokens: 2,
        total_tokens: 6,
        prompt_tokens_details: { cached_tokens: 1 },
      },
      firstTokenMs: 12,
      elapsedMs: 40,
      deltas: 1,
    },
    { ...newReply, choices: [{ text: 'Wel', finishReason: undefined, logprobs: [] }] },
  ],
  chosen: { column: 1, choice: 0 },
  kept: undefined,
  historyId: 'h1',
}

test('a reload restores the draft, and a running reply becomes a failed one', () => {
  const storage = newStorage()
  expect(saveDraft(storage, 'ada', draft)).toBe(true)
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
    outcome: { state: 'failed', message: 'You left the page before the reply was complete.' },
    choices: [{ text: 'Wel' }],
  })
})

test('a kept reply survives a reload with its format and its model, without log-probabilities', () => {
  const storage = newStorage()
  const [first = newReply] = draft.replies
  const reply = { ...first, format: { isJson: true, schema: '{"type": "string"}' } }
  const kept = { reply, model: 'Tiny' }
  const logprobs = [{ token: 'So.', logprob: -1, bytes: null, top_logprobs: [] }]
  const choices = reply.choices.map((choice) => ({ ...choice, logprobs }))
  saveDraft(storage, 'ada', { ...draft, kept: { ...kept, reply: { ...reply, choices } } })
  expect(loadDraft(storage, 'ada').kept).toEqual(kept)
})

test('a reply that an earlier version of the panel saved has the format of the settings beside it', () => {
  const storage = newStorage()
  const settings = { ...defaultSettings, format: 'json_schema', schema: '{}' }
  const [reply] = draft.replies
  const old = { ...reply, format: undefined }
  const saved = { columns: [settings], replies: [old], kept: { reply: old, settings } }
  storage.setItem('pipit.playground.ada', JSON.stringify(saved))
  const { replies, kept } = loadDraft(storage, 'ada')
  const format = { isJson: true, schema: '{}' }
  expect([replies[0]?.format, kept?.reply.format]).toEqual([format, format])
})

test('another user of the same tab sees none of it', () => {
  const storage = newStorage()
  saveDraft(storage, 'ada', draft)
  expect(loadDraft(storage, 'bob')).toEqual(emptyDraft)
})

test('saving reports a draft that is too large, or a full storage', () => {
  const large = { ...draft, input: 'x'.repeat(2_000_000) }
  expect(saveDraft(newStorage(), 'ada', large)).toBe(false)
  expect(saveDraft(newStorage(100), 'ada', draft)).toBe(false)
})

test.each(['', 'null', '[]', '{"messages": [1, {"role": "root"}], "columns": {}}', '{"replies":'])(
  'an invalid draft is read as an empty one: %s',
  (text) => {
    const storage = newStorage()
    storage.setItem('pipit.playground.ada', text)
    expect(loadDraft(storage, 'ada')).toEqual(emptyDraft)
  },
)
