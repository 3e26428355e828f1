// Reads messages, one a line, and prints what they say as JSON, one object a line:
//
//   node examples/extract.mjs < examples/data/invoices.txt
//
// Every reply conforms to the schema, whatever the message says. Whether its values are right depends on
// the model: check them before you rely on them.
import { createInterface } from 'node:readline'
import { complete } from './client.mjs'

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 40 },
    day: { enum: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', null] },
    amount: { type: 'string', maxLength: 20 },
  },
  required: ['name', 'day', 'amount'],
}
const format = { type: 'json_schema', json_schema: { name: 'invoice', schema } }

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === '') continue
  const reply = await complete('Find the name, the day and the amount in the message.', line, {
    response_format: format,
  })
  console.log(JSON.stringify({ ...JSON.parse(reply), message: line }))
}
