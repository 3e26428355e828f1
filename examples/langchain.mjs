// Runs a chain of LangChain, streamed:
//
//   npm install @langchain/core @langchain/openai
//   node examples/langchain.mjs "a picnic in the park"
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: 'svc-o1-mini',
  apiKey: process.env.PIPIT_API_KEY,
  configuration: { baseURL: `${process.env.PIPIT_BASE_URL ?? 'http://127.0.0.1:8080'}/v1` },
})
const prompt = ChatPromptTemplate.fromMessages([
  ['system', 'You write short texts.'],
  ['human', 'Write a short invitation to {occasion}.'],
])
const chain = prompt.pipe(model).pipe(new StringOutputParser())

for await (const part of await chain.stream({ occasion: process.argv[2] ?? 'a picnic' }))
  process.stdout.write(part)
process.stdout.write('\n')
