import { expect, test } from 'vitest'
import { newMessage } from './conversation.ts'
import { commitInput, emptyDraft } from './draft.ts'

test('a message continues its conversation of the history, except the first one', () => {
  const draft = { ...emptyDraft, input: 'Hello', historyId: 'h1' }
  expect(commitInput({ ...draft, messages: [newMessage('user', 'Hi')] }).historyId).toBe('h1')
  expect(commitInput(draft).historyId).toBeUndefined()
})
