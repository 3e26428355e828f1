import { describe, expect, test } from 'vitest'
import { type ChatParameter, chatParameters } from '../../../chat-parameters.ts'
import { loadConfig } from '../../../config.ts'
import { plainDialect } from '../../../engine/dialect/dialect.ts'
import { parseChatRequest } from './parse-chat-request.ts'

const settings = {
  dialect: plainDialect,
  maxTokensDefault: loadConfig({ HOME: '/' }).completionTokens.default,
  tellsSchema: false,
  completesFormat: true,
  findCall: () => -1,
}
/** A body in which every parameter with a default has an effect. */
const body = {
  model: 'svc-o1-mini',
  messages: [{ role: 'user' as const, content: 'Hi' }],
  seed: 1,
  logprobs: true,
  response_format: { type: 'json_object' as const },
  tools: [{ type: 'function' as const, function: { name: 'f' } }],
}
const parse = (parameters: object) =>
  parseChatRequest({ ...body, ...parameters }, settings, body.seed)

const rows = Object.entries<ChatParameter>(chatParameters)
const others: Readonly<Record<string, string>> = { tool_choice: 'required' }

describe('a parameter with a default', () => {
  for (const [name, { default: byDefault, minimum, maximum }] of rows) {
    if (byDefault === undefined) continue
    const bound = byDefault === maximum ? minimum : maximum
    const other = typeof byDefault === 'boolean' ? !byDefault : (others[name] ?? bound)

    test(`\`${name}\` is ${byDefault} if it is absent or null, and ${other} is read`, () => {
      const expected = parse({ [name]: byDefault })
      expect(parse({ [name]: undefined })).toEqual(expected)
      expect(parse({ [name]: null })).toEqual(expected)
      expect(parse({ [name]: other })).not.toEqual(expected)
    })
  }
})

test('`top_k` -1 is 0 for the engine', () => {
  expect(parse({ top_k: -1 })).toEqual(parse({ top_k: 0 }))
})

test('the arguments of all earlier calls count together', () => {
  const parseCalls = (members: number, calls: number) => {
    const list = Array.from({ length: members }, () => '{"1":[]}').join()
    const call = { type: 'function', function: { name: 'f', arguments: `{"a":[${list}]}` } }
    const tool_calls = Array.from({ length: calls }, (_, id) => ({ ...call, id: String(id) }))
    return parse({ messages: [{ role: 'assistant', tool_calls }] })
  }
  expect(parseCalls(16_000, 1).messages).toHaveLength(1)
  expect(parseCalls(2_600, 6).messages).toHaveLength(1)
  expect(() => parseCalls(16_000, 6)).toThrow(
    expect.objectContaining({
      code: 'invalid_value',
      param: 'messages[0].tool_calls[1].function.arguments',
    }),
  )
})
