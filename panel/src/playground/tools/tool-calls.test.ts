import { expect, test } from 'vitest'
import { addCallDeltas, parseToolCalls, type ToolCall } from './tool-calls.ts'
import { parseTools, toolsTemplate } from './tool-definitions.ts'

test('the pieces of calls are joined by index', () => {
  const none: readonly ToolCall[] = []
  const pieces = [
    [{ index: 0, id: 'call_1', type: 'function', function: { name: 'a', arguments: '{"x"' } }],
    [{ index: 1, id: 'call_2', type: 'function', function: { name: 'b', arguments: '{}' } }],
    [{ index: 0, function: { arguments: ': 1}' } }],
  ] as const
  expect(pieces.reduce((calls, next) => addCallDeltas(calls, [...next]), none)).toEqual([
    { id: 'call_1', name: 'a', args: '{"x": 1}' },
    { id: 'call_2', name: 'b', args: '{}' },
  ])
})

test('saved calls are read without invalid ones', () => {
  const call = { id: 'call_1', name: 'a', args: '{}' }
  expect(parseToolCalls([call, { id: 1 }, null, call], 3)).toEqual([call])
  expect(parseToolCalls('x', 3)).toEqual([])
})

test('the example tool is valid, and so is the form of the API', () => {
  const parsed = parseTools(toolsTemplate)
  expect(parsed).toMatchObject({ value: [{ type: 'function', function: { name: 'get_weather' } }] })
  const value = 'value' in parsed ? parsed.value : undefined
  expect(parseTools(JSON.stringify(value))).toEqual(parsed)
})

test.each([
  ['{}', 'Enter a JSON array of tools: [ … ].'],
  ['[{"name": "two words"}]', 'Tool 1 needs a name of letters, digits, _ and -.'],
  [JSON.stringify(Array.from({ length: 129 }, () => ({ name: 'a' }))), 'Enter at most 128 tools.'],
])('invalid tools are named: %.40s', (text, fault) => {
  expect(parseTools(text)).toEqual({ fault })
})
