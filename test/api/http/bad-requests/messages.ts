import type { BadRequest } from './bad-request.ts'

const message = { role: 'user', content: 'Hi' }
const image = { type: 'image_url', image_url: { url: 'data:' } }
const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
const withMessage = (changed: object) => ({ messages: [{ ...message, ...changed }] })

export const badBodies: BadRequest[] = [
  ['broken JSON', '{"model":', 'invalid_json', null],
  ['an empty body', '', 'invalid_json', null],
  ['an array', '[]', 'invalid_json', null],
  ['a text', '"hello"', 'invalid_json', null],
  ['null', 'null', 'invalid_json', null],
  ['a poisoned prototype', '{"__proto__":{"a":1}}', 'invalid_json', null],
  ['too deep', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'invalid_json', null],
]

export const badMessages: BadRequest[] = [
  ['no model', { model: undefined }, 'missing_required_parameter', 'model'],
  ['no messages', { messages: undefined }, 'missing_required_parameter', 'messages'],
  ['no role', { messages: [{ content: 'Hi' }] }, 'missing_required_parameter', 'messages[0].role'],
  [
    'no content',
    { messages: [message, { role: 'user' }] },
    'missing_required_parameter',
    'messages[1].content',
  ],
  ['no messages in the list', { messages: [] }, 'empty_array', 'messages'],
  [
    'too many messages',
    { messages: Array(513).fill(message) },
    'array_above_max_length',
    'messages',
  ],
  ['a model of another type', { model: 1 }, 'invalid_type', 'model'],
  ['a null model', { model: null }, 'invalid_type', 'model'],
  ['messages of another type', { messages: 'Hi' }, 'invalid_type', 'messages'],
  ['null messages', { messages: null }, 'invalid_type', 'messages'],
  ['a message of another type', { messages: ['Hi'] }, 'invalid_type', 'messages[0]'],
  ['content of another type', withMessage({ content: 5 }), 'invalid_type', 'messages[0].content'],
  ['null content', withMessage({ content: null }), 'invalid_type', 'messages[0].content'],
  [
    'a part of another type',
    withMessage({ content: ['Hi'] }),
    'invalid_type',
    'messages[0].content[0]',
  ],
  [
    'a part whose text is a number',
    withMessage({ content: [{ type: 'text', text: 1 }] }),
    'invalid_type',
    'messages[0].content[0].text',
  ],
  [
    'a part without text',
    withMessage({ content: [{ type: 'text' }] }),
    'missing_required_parameter',
    'messages[0].content[0].text',
  ],
  ['an image', withMessage({ content: [image] }), 'invalid_value', 'messages[0].content[0].type'],
  ['an unknown role', withMessage({ role: 'robot' }), 'invalid_value', 'messages[0].role'],
  [
    'a tool message without a call id',
    withMessage({ role: 'tool' }),
    'missing_required_parameter',
    'messages[0].tool_call_id',
  ],
  [
    'a tool message for an unknown call',
    withMessage({ role: 'tool', tool_call_id: 'call_1' }),
    'invalid_value',
    'messages[0].tool_call_id',
  ],
  [
    'a call id in a user message',
    withMessage({ tool_call_id: 'call_1' }),
    'invalid_value',
    'messages[0].tool_call_id',
  ],
  [
    'calls in a user message',
    withMessage({ tool_calls: [call] }),
    'invalid_value',
    'messages[0].tool_calls',
  ],
  [
    'two calls with the same id',
    withMessage({ role: 'assistant', tool_calls: [call, call] }),
    'invalid_value',
    'messages[0].tool_calls',
  ],
  [
    'an assistant message without content or calls',
    withMessage({ role: 'assistant', content: null, tool_calls: [] }),
    'invalid_type',
    'messages[0].content',
  ],
  ...['{', '[]', '3'].map((text): BadRequest => [
    `a call with the arguments ${text}`,
    withMessage({
      role: 'assistant',
      tool_calls: [{ ...call, function: { name: 'f', arguments: text } }],
    }),
    'invalid_value',
    'messages[0].tool_calls[0].function.arguments',
  ]),
  ['a role of another type', withMessage({ role: 1 }), 'invalid_type', 'messages[0].role'],
  [
    'a prompt that does not fit',
    { messages: [{ role: 'user', content: 'word '.repeat(5000) }] },
    'context_length_exceeded',
    'messages',
  ],
]
