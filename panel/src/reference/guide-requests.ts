import { modelId } from '../../../src/protocol/chat/model-id.ts'
import type { CodeRequest } from '../code/code-request.ts'

export type GuideRequest = Omit<CodeRequest, 'origin' | 'apiKey'>

const completion = (body: object): GuideRequest => ({
  method: 'POST',
  path: '/v1/chat/completions',
  body: { model: modelId, ...body },
})

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Returns the weather of a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
  },
}
const askForWeather = { role: 'user', content: 'What is the weather in Paris?' }
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'get_weather', arguments: '{"city":"Paris"}' },
}

/**
 * The requests of the guides, by name. A test sends each of them in curl, Python, TypeScript and PHP, some in Go and Java,
 * and none in C#.
 */
export const guideRequests = {
  first: completion({ messages: [{ role: 'user', content: 'What is the capital of France?' }] }),
  stream: {
    ...completion({
      messages: [{ role: 'user', content: 'What is the capital of France?' }],
      stream: true,
      stream_options: { include_usage: true },
    }),
    streams: true,
  },
  structured: completion({
    messages: [
      {
        role: 'user',
        content: 'Extract the name and the age as JSON: Ada Lovelace was 36 years old.',
      },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'person',
        schema: {
          type: 'object',
          properties: {
            name: { type: 'string', maxLength: 60 },
            age: { type: 'integer', minimum: 0, maximum: 150 },
          },
          required: ['name', 'age'],
          additionalProperties: false,
        },
      },
    },
  }),
  tools: completion({
    messages: [askForWeather],
    tools: [weather],
    tool_choice: 'required',
  }),
  toolResult: completion({
    messages: [
      askForWeather,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: '{"celsius": 18, "sky": "clear"}' },
    ],
    tools: [weather],
  }),
  retry: {
    ...completion({ messages: [{ role: 'user', content: 'What is the capital of France?' }] }),
    headers: { 'Idempotency-Key': 'order-1234-summary' },
  },
  limits: { method: 'GET', path: '/v1/key' },
  count: {
    ...completion({ messages: [{ role: 'user', content: 'What is the capital of France?' }] }),
    path: '/v1/chat/completions/input_tokens',
  },
} as const satisfies Readonly<Record<string, GuideRequest>>
