import { expect, test } from 'vitest'
import { newMessage } from './conversation.ts'
import {
  columnError,
  commitInput,
  commitReply,
  commitToolResults,
  emptyDraft,
  settingsError,
  startReplies,
} from './draft.ts'
import { newReply } from './reply.ts'
import { defaultSettings, numberSettings } from './settings.ts'

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

test('faults of settings name the field and, while two sets are compared, the set', () => {
  const numbers = numberSettings(undefined)
  const bad = { ...defaultSettings, temperature: 'warm', logit_bias: '[]', tools: '{}' }
  const faults = [
    'Temperature must be a number from 0 to 1.',
    'Logit bias: Enter a JSON object: { … }.',
    'Functions: Enter a JSON array of tools: [ … ].',
  ]
  const one = { ...emptyDraft, columns: [bad] }
  expect(settingsError(one, numbers)).toEqual({ task: 'Fix these settings:', faults })
  const two = { ...emptyDraft, columns: [defaultSettings, bad] }
  expect(settingsError(two, numbers)).toEqual({ task: 'Fix settings B:', faults })
  expect([0, 1].map((column) => columnError(two, column, numbers)?.task)).toEqual([
    undefined,
    'Fix settings B:',
  ])
  expect(settingsError(emptyDraft, numbers)).toBeUndefined()
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
