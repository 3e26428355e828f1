import { expect, test } from 'vitest'
import type { ChatCompletionRequest } from '../../../protocol/chat/chat-request.ts'
import { parseJsonObject } from '../../request/body/json-body.ts'
import { parseFormat } from './parse-format.ts'

const schema = '{"type":"object","properties":{"b":{},"10":{},"a":{},"2":{}}}'

function formatOf(body: string): unknown {
  return parseFormat(parseJsonObject(Buffer.from(body)) as ChatCompletionRequest)
}

test('property names that look like integers keep their order', () => {
  expect(
    formatOf(`{"response_format":{"type":"json_schema","json_schema":{"schema":${schema}}}}`),
  ).toMatchObject({ schema })
  const tool = `{"type":"function","function":{"name":"f","parameters":${schema}}}`
  expect(formatOf(`{"tools":[${tool}]}`)).toMatchObject({ tools: [{ parameters: schema }] })
})
