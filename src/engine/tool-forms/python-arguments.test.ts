import { expect, test } from 'vitest'
import { sampleText, vocabularyOf } from '../../../test/support/schemas/grammar-sampling.ts'
import { compileToolCalls } from './compile-tools.ts'
import { type ToolFormName, toolFormOf } from './detect-tool-form.ts'

const form = toolFormOf('lfm2')
const words = ['True', 'False', 'None', 'true', 'false', 'null', "'", '"', 'A', '\\', '\\n', ')']
const vocabulary = vocabularyOf([...words, '<|tool_call_start|>[', ']<|tool_call_end|>', ', '])

/** Returns the values that the grammar allows for an argument. */
function valuesOf(schema: object): Set<string> {
  const parameters = JSON.stringify({ properties: { value: schema }, required: ['value'] })
  const tools = [{ name: 'save', description: undefined, parameters }]
  const grammar = compileToolCalls({ tools, choice: 'required', areParallel: false }, form)
  const texts = Array.from({ length: 200 }, (_, seed) => sampleText(grammar, seed, 60, vocabulary))
  return new Set(
    texts.flatMap(
      (text) =>
        /^<\|tool_call_start\|>\[save\(value=(.*)\)\]<\|tool_call_end\|>$/s.exec(text ?? '')?.[1] ??
        [],
    ),
  )
}

test('booleans and null are words of Python or of JSON', () => {
  expect([...valuesOf({ type: ['boolean', 'null'] })].toSorted()).toEqual([
    'False',
    'None',
    'True',
    'false',
    'null',
    'true',
  ])
})

test('only listed values have their words', () => {
  expect([...valuesOf({ enum: [true, 'A'] })].toSorted()).toEqual(['"A"', 'True', 'true'])
  expect([...valuesOf({ type: 'boolean', not: { const: true } })].toSorted()).not.toContain('True')
})

test('a free string may stand in single quotes, within which a quote has a backslash', () => {
  const values = [...valuesOf({ type: 'string' })]
  const isQuoted = (value: string) => value.startsWith("'")
  expect(values.some((value) => !isQuoted(value))).toBe(true)
  expect(values.filter(isQuoted).length).toBeGreaterThan(5)
  for (const value of values)
    if (isQuoted(value)) expect(value).toMatch(/^'(?:[^'\\]|\\['"\\ntr])*'$/)
    else expect(JSON.parse(value)).toEqual(expect.any(String))
})

test.each([
  ['a pattern', { type: 'string', pattern: '^A+$' }],
  ['a format', { type: 'string', format: 'date' }],
  ['a minimum length', { type: 'string', minLength: 2 }],
  ['a maximum length', { type: 'string', maxLength: 3 }],
])('a string with %s has double quotes, so that the keyword is enforced', (_, schema) => {
  for (const value of valuesOf(schema)) expect(value).toMatch(/^"/)
  expect(valuesOf(schema).size).toBeGreaterThan(0)
})

test('a name that cannot be written before an equals sign is refused', () => {
  expect(() => valuesOf({ type: 'string' })).not.toThrow()
  expect(compilingName('lfm2', 'a=b')).toThrow('The name "a=b" cannot be written')
})

test.each([
  ['gemma4', 'dc:title', 'dc.title'],
  ['gemma4', 'a,b', 'a b'],
  ['seed', 'a>b', 'a<b'],
  ['functionXml', 'a>\nb', 'a>b'],
  ['glm', 'a</arg_key><arg_value>', 'a</arg_key>'],
  ['kimiK3', 'a" type="string"<|sep|>', 'a"b'],
] as const)('a name that %s would read as something else is refused: %j', (form, name, allowed) => {
  expect(compilingName(form, name)).toThrow(`The name ${JSON.stringify(name)} cannot be written`)
  expect(compilingName(form, allowed)).not.toThrow()
})

function compilingName(form: ToolFormName, name: string): () => void {
  const parameters = JSON.stringify({ type: 'object', properties: { [name]: { type: 'string' } } })
  const tools = [{ name: 'save', description: undefined, parameters }]
  return () => compileToolCalls({ tools, choice: 'auto', areParallel: true }, toolFormOf(form))
}
