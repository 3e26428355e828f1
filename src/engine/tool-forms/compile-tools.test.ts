import { expect, test } from 'vitest'
import { sampleText, vocabularyOf } from '../../../test/support/schemas/grammar-sampling.ts'
import { toolFormOf } from './detect-tool-form.ts'
import { compileToolCalls, type ToolChoice } from './compile-tools.ts'

const person = {
  type: 'object',
  properties: { age: { type: 'integer', minimum: 1 } },
  required: ['age'],
}
const hermes = toolFormOf('hermes')
const tools = [
  { name: 'save', description: undefined, parameters: JSON.stringify(person) },
  { name: 'stop', description: 'Stops.', parameters: undefined },
  { name: 'any', description: undefined, parameters: '{"properties":{}}' },
]
const call =
  /<tool_call>\n\{"name": "(?:save", "arguments": \{"age": ?[1-9]\d*\}|(?:stop|any)", "arguments": \{\})\}\n<\/tool_call>/
const calls = new RegExp(`^${call.source}(?:\n${call.source})*$`)

function sample(choice: ToolChoice, areParallel: boolean): string[] {
  const grammar = compileToolCalls({ tools, choice, areParallel }, hermes)
  const texts = Array.from({ length: 60 }, (_, seed) => sampleText(grammar, seed, 900))
  return texts.filter((text) => text !== undefined)
}

test('a required call names a tool, and its arguments are valid against the schema', () => {
  const texts = sample('required', false)
  expect(texts.length).toBeGreaterThan(50)
  for (const text of texts) expect(text).toMatch(new RegExp(`^${call.source}$`))
  for (const { name } of tools) expect(texts.some((text) => text.includes(`"${name}"`))).toBe(true)
})

test('a call of a named tool is of that tool', () => {
  for (const text of sample({ name: 'save' }, false)) expect(text).toContain('"save"')
})

test('parallel calls follow each other directly', () => {
  const texts = sample('required', true)
  for (const text of texts) expect(text).toMatch(calls)
  expect(texts.some((text) => text.split('<tool_call>').length > 2)).toBe(true)
})

test('with auto any text may come first, and a text that begins like a call is one', () => {
  const grammar = compileToolCalls({ tools, choice: 'auto', areParallel: true }, hermes)
  expect(grammar.example()).toBe('')
  // A vocabulary for texts that try to get around the grammar.
  const words = vocabularyOf(['<', '<tool', '_call>', '<tool_call>', '\n', '{}', 'x'])
  const seen = new Set<string>()
  for (let seed = 0; seed < 300; seed++) {
    const text = sampleText(grammar, seed, 400, words)
    if (text === undefined) continue
    const at = text.indexOf('<tool_call>')
    seen.add(at === -1 ? 'text' : at === 0 ? 'call' : 'text and call')
    if (at !== -1) expect(text.slice(at)).toMatch(calls)
  }
  expect([...seen].toSorted()).toEqual(['call', 'text', 'text and call'])
})

const withParameters = (count: number, parameters: () => object) =>
  Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description: undefined,
    parameters: JSON.stringify({ type: 'object', properties: parameters() }),
  }))

test('tools share the rules of strings, patterns and numbers', () => {
  const parameters = () => ({
    text: { type: 'string', maxLength: 10_000 },
    mail: { type: 'string', format: 'email' },
    page: { type: 'number', minimum: 1 },
  })
  const many = withParameters(60, parameters)
  expect(() =>
    compileToolCalls({ tools: many, choice: 'auto', areParallel: true }, hermes),
  ).not.toThrow()
})

test('tools that are too complex only together are refused together', () => {
  let count = 0
  const parameters = () => {
    count += 1
    return { code: { enum: Array.from({ length: 400 }, (_, index) => `value ${count} ${index}`) } }
  }
  const compile = (many: typeof tools) => () =>
    compileToolCalls({ tools: many, choice: 'auto', areParallel: true }, hermes)
  expect(compile(withParameters(1, parameters))).not.toThrow()
  expect(compile(withParameters(60, parameters))).toThrow(
    expect.objectContaining({
      path: 'tools',
      message:
        'The schemas of all tools together are too complex. Make them smaller, or send fewer tools.',
    }),
  )
})
