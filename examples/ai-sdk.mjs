// Streams a reply with the AI SDK, then generates an object for a schema:
//
//   npm install ai @ai-sdk/openai-compatible
//   node examples/ai-sdk.mjs "Write a short invitation to a picnic."
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, Output, streamText } from 'ai'

const pipit = createOpenAICompatible({
  name: 'pipit',
  baseURL: `${process.env.PIPIT_BASE_URL ?? 'http://127.0.0.1:8080'}/v1`,
  apiKey: process.env.PIPIT_API_KEY,
  includeUsage: true,
  supportsStructuredOutputs: true,
})
const model = pipit('svc-o1-mini')

const stream = streamText({ model, prompt: process.argv[2] ?? 'Hello! Who are you?' })
for await (const part of stream.textStream) process.stdout.write(part)
const { outputTokens } = await stream.usage
console.log(`\n(${outputTokens} tokens)`)

const schema = jsonSchema({
  type: 'object',
  properties: { mood: { enum: ['positive', 'negative'] } },
  required: ['mood'],
  additionalProperties: false,
})
const { output } = await generateText({
  model,
  prompt: 'Is this review positive or negative? "A warm and funny film."',
  output: Output.object({ schema }),
})
console.log(output)
