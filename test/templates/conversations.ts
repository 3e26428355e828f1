import type { ChatMessage } from '../../src/engine/engine.ts'
import type { Tool } from '../../src/engine/tools.ts'

export type Conversation = {
  readonly name: string
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly Tool[]
}

const tools: readonly Tool[] = [
  {
    name: 'get_weather',
    description: 'Returns the weather of a place.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        place: { type: 'string', description: 'The name of a town' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        days: { type: 'integer', minimum: 1 },
      },
      required: ['place'],
    }),
  },
  {
    name: 'find_train',
    description: 'Finds a train between two towns.',
    parameters: JSON.stringify({
      type: 'object',
      properties: {
        route: { type: 'array', items: { type: 'string' } },
        direct: { type: 'boolean' },
      },
      required: ['route'],
    }),
  },
]

const system: ChatMessage = { role: 'system', content: 'You answer in one short sentence.' }
const weatherOf = (id: string, place: string) => ({
  id,
  name: 'get_weather',
  arguments: JSON.stringify({ place, unit: 'celsius', days: 2 }),
})
const train = {
  id: 'callB0002',
  name: 'find_train',
  arguments: '{"route":["Bern","Ulm"],"direct":true}',
}

/** Conversations of the kinds that clients send. The ids of calls have the form that Mistral's templates demand. */
export const conversations: readonly Conversation[] = [
  { name: 'plain', messages: [user('Why is the sky blue?')], tools: [] },
  { name: 'system', messages: [system, user('Why is the sky blue?')], tools: [] },
  {
    name: 'several turns',
    messages: [
      system,
      user('Hi'),
      reply('Hello! How can I help?'),
      user('Name a river.'),
      reply('The Rhine.'),
      user('Another one?'),
    ],
    tools: [],
  },
  {
    name: 'white space at the ends',
    messages: [
      user('  Hi there \n'),
      reply(' Hello! \n\n'),
      user('\tName a river.  '),
      reply('The Rhine. '),
      user('Another one? \n'),
    ],
    tools: [],
  },
  {
    name: 'unicode',
    messages: [
      system,
      user('Grüße 👋🏽 — “naïve” 日本語 \u200d \u00a0 العربية'),
      reply('Ça va ☕ «ok» 한국어'),
      user('𝒳² ≠ x₂?'),
    ],
    tools: [],
  },
  { name: 'tools', messages: [system, user('Is it warm in Bern?')], tools },
  {
    name: 'one call',
    messages: [
      user('Is it warm in Bern?'),
      { role: 'assistant', content: 'I look it up.', toolCalls: [weatherOf('callA0001', 'Bern')] },
      result('callA0001', '{"celsius": 20}'),
      reply('Yes, 20 degrees.'),
      user('And tomorrow?'),
    ],
    tools,
  },
  {
    name: 'parallel calls',
    messages: [
      system,
      user('Weather in Bern, and a train to Ulm?'),
      { role: 'assistant', content: '', toolCalls: [weatherOf('callA0001', 'Bern'), train] },
      result('callA0001', '{"celsius": 20}'),
      result('callB0002', 'The train leaves at 9:30.'),
    ],
    tools,
  },
  {
    name: 'system in the middle',
    messages: [
      user('Hi'),
      reply('Hello!'),
      { role: 'system', content: 'Answer in French.' },
      user('Name a river.'),
    ],
    tools: [],
  },
  {
    name: 'calls without text',
    messages: [
      user('Is it warm in Zürich?'),
      { role: 'assistant', content: '', toolCalls: [weatherOf('callA0001', 'Zürich')] },
      result('callA0001', '20 degrees'),
    ],
    tools,
  },
  { name: 'long', messages: longTurns(), tools: [] },
]

/** A text and calls in one message, whose results come last. */
export const textAndCall: Conversation = {
  name: 'text and call',
  messages: [
    user('Is it warm in two towns?'),
    {
      role: 'assistant',
      content: 'I look it up.',
      toolCalls: [
        { id: 'callA0001', name: 'get_weather', arguments: '{"place":"Chur","days":27}' },
        { id: 'callB0002', name: 'get_weather', arguments: '{"place":"Basel","unit":"kelvin"}' },
      ],
    },
    result('callA0001', 'Sunny'),
    result('callB0002', 'Rainy'),
  ],
  tools,
}

function user(content: string): ChatMessage {
  return { role: 'user', content }
}

function reply(content: string): ChatMessage {
  return { role: 'assistant', content }
}

function result(toolCallId: string, content: string): ChatMessage {
  return { role: 'tool', content, toolCallId }
}

function longTurns(): ChatMessage[] {
  const turns = Array.from({ length: 20 }, (_, index) => [
    user(`Question ${index}: ${'what happens next, and why? '.repeat(20)}`),
    reply(`Answer ${index}: ${'it goes on as before.\n'.repeat(15)}`),
  ])
  return [system, ...turns.flat(), user('And in the end?')]
}
