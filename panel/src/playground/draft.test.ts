import { expect, test } from 'vitest'
import { newMessage } from './conversation.ts'
import { commitInput, commitReply, commitToolResults, emptyDraft, startReplies } from './draft.ts'
import { newReply } from './reply.ts'
import { defaultSettings } from './settings.ts'

test('a message continues its conversation of the history, except the first one', () => {
  const draft = { ...emptyDraft, input: 'Hello', historyId: 'h1' }
  expect(commitInput({ ...draft, messages: [newMessage('user', 'Hi')] }).historyId).toBe('h1')
  expect(commitInput(draft).historyId).toBeUndefined()
})

test('a reply keeps the format of its column, whose schema counts only for the format JSON schema', () => {
  const schema = '{"type": "string"}'
  const formats = ['json_schema', 'json_object', '']
  const columns = formats.map((format) => ({ ...defaultSettings, format, schema }))
  expect(startReplies({ ...emptyDraft, columns }).replies.map(({ format }) => format)).toEqual([
    { isJson: true, schema },
    { isJson: true, schema: '' },
    { isJson: false, schema: '' },
  ])
})

test('a tool call that was cut is left out of the conversation', () => {
  const toolCalls = [
    { id: 'call_1', name: 'weather', args: '{"city":"Paris"}' },
    { id: 'call_2', name: 'today', args: '' },
    { id: 'call_3', name: 'weather', args: '{"city":"Par' },
  ]
  const choices = [{ text: '', toolCalls, finishReason: undefined, logprobs: [] }]
  const reply = { ...newReply, choices, outcome: { state: 'stopped' as const } }
  const draft = { ...emptyDraft, messages: [newMessage('user', 'Hi')], replies: [reply] }
  const { messages } = commitToolResults(draft, ['sunny', 'Monday'])
  expect(messages[1]?.toolCalls).toEqual(toolCalls.slice(0, 2))
  const results = [{ toolCallId: 'call_1' }, { toolCallId: 'call_2' }]
  expect(messages.slice(2)).toMatchObject(results)
  // Also after the reply was moved into the conversation to edit it.
  const edited = commitToolResults(commitReply(draft), ['sunny', 'Monday'])
  expect(edited.messages.slice(2)).toMatchObject(results)
})
