import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { readCalls, sampleCalls } from '../../../test/support/schemas/call-sampling.ts'
import { compileToolCalls } from './compile-tools.ts'
import { toolFormOf } from './detect-tool-form.ts'

/** Returns the arguments of sampled calls of a tool with this schema. */
function sample(formName: (typeof forms)[number], schema: object): unknown[] {
  const form = toolFormOf(formName)
  const tools = [{ name: 'save', description: undefined, parameters: JSON.stringify(schema) }]
  const replies = sampleCalls(form, { tools, choice: 'required', areParallel: false }, 60, words)
  return replies.map((reply) => {
    const [call] = readCalls(form, tools, reply).calls
    return JSON.parse(call?.text ?? '')
  })
}

function validator(schema: object): (value: unknown) => boolean {
  return new Ajv2020({ strict: false, validateSchema: false }).compile(schema)
}

const forms = ['seed', 'kimiK3', 'gemma4', 'lfm2'] as const
/** Words of the schemas below, so that samples reach their names and values. */
const words = ['start', 'end', 'a', 'b', 'c', 'x', '3', '=', 'true', '3.1']

const span = {
  type: 'object',
  properties: { start: { type: 'integer' }, end: { type: 'integer' } },
  required: ['start'],
  dependentRequired: { start: ['end'] },
}

const integer = { type: 'integer' }
const few = { a: integer, b: integer, c: integer }
/** Schemas of arguments, each under the keyword that it is about. */
const limits: Record<string, object> = {
  'dependentRequired beside required': span,
  'not beside required': { ...span, dependentRequired: {}, not: { required: ['start', 'end'] } },
  minProperties: { type: 'object', properties: few, minProperties: 2 },
  maxProperties: { type: 'object', properties: few, required: ['b'], maxProperties: 2 },
  'propertyNames of listed names': { properties: few, propertyNames: { enum: ['a', 'b'] } },
  'minProperties of a map': { additionalProperties: integer, minProperties: 2 },
  'maxProperties of a map': { additionalProperties: integer, maxProperties: 1 },
  patternProperties: {
    patternProperties: { '^a': integer, '^[^a]': { type: 'boolean' } },
    additionalProperties: false,
  },
  'patternProperties of strings': {
    patternProperties: { '^a': { type: 'string' } },
    additionalProperties: integer,
  },
  propertyNames: { propertyNames: { pattern: '^[ab]' }, additionalProperties: integer },
  'propertyNames with few names': {
    propertyNames: { enum: ['a', 'b'] },
    additionalProperties: integer,
    minProperties: 2,
  },
  'propertyNames of one list or another': {
    propertyNames: { anyOf: [{ enum: ['a'] }, { enum: ['b'] }] },
    additionalProperties: integer,
    minProperties: 1,
  },
  'patternProperties without a value for a name': {
    patternProperties: { '^[ab]$': integer, '^[bc]$': { type: 'boolean' } },
    additionalProperties: false,
    minProperties: 1,
  },
  'a forbidden name of a map': {
    additionalProperties: integer,
    minProperties: 1,
    not: { required: ['a'] },
  },
}
/** Schemas of one argument. */
const values: Record<string, object> = {
  uniqueItems: { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 2 },
  'uniqueItems of integers': { type: 'array', items: integer, uniqueItems: true, minItems: 2 },
  'uniqueItems of few integers': {
    type: 'array',
    items: { type: 'integer', minimum: 1, maximum: 3 },
    uniqueItems: true,
    minItems: 2,
  },
  'uniqueItems of listed numbers': {
    type: 'array',
    items: { enum: [9e15, 1, 2] },
    uniqueItems: true,
    minItems: 2,
  },
  'uniqueItems of listed values': {
    type: 'array',
    items: { enum: ['a', 'b', null] },
    uniqueItems: true,
    minItems: 2,
  },
  'a string or an integer': { type: ['string', 'integer'] },
  'a string or a small integer': { anyOf: [{ type: 'string' }, { enum: [0, 3] }] },
  prefixItems: { type: 'array', prefixItems: [integer, { type: 'null' }], items: false },
}
const asValue = (value: object) => ({
  type: 'object',
  properties: { value },
  required: ['value'],
})
const objects = Object.fromEntries(
  Object.entries(limits).map(([keyword, schema]) => [
    `${keyword} of a nested object`,
    asValue({ ...schema, type: 'object' }),
  ]),
)
const lists = Object.fromEntries(
  Object.entries(values).map(([keyword, schema]) => [keyword, asValue(schema)]),
)

describe.each(forms)('the form %s', (form) => {
  test.each(Object.entries({ ...limits, ...objects, ...lists }))(
    'writes only arguments that are valid against %s',
    (_, schema) => {
      const isValid = validator(schema)
      const found = sample(form, schema)
      expect(found.length).toBeGreaterThan(10)
      for (const one of found) expect([one, isValid(one)]).toEqual([one, true])
    },
  )
})

test.each([
  ['contains', 'contains', { contains: integer }],
  ['unique numbers', 'uniqueItems', { items: { type: 'number' }, uniqueItems: true }],
  ['many items', 'minItems', { minItems: 2000 }],
])('a list with %s is refused by name where it is not JSON', (_, keyword, list) => {
  const compile = () => sample('gemma4', asValue({ type: 'array', ...list }))
  expect(compile).toThrow(
    expect.objectContaining({
      path: `tools[0].function.parameters.properties.value.${keyword}`,
      message: expect.stringContaining(`\`${keyword}\``),
    }),
  )
})

test.each([
  ['functionXml', 'a\n</parameter>b'],
  ['kimiK3', 'a<|close|>argument<|sep|>b'],
  ['minicpm5', 'a]]></param>b'],
  ['gemma4', 'a<|"|>b'],
] as const)(
  'a listed string that the form %s would read cut is refused by its path',
  (name, text) => {
    const compile = (value: object) => {
      const parameters = JSON.stringify(asValue(value))
      const tools = [{ name: 'save', description: undefined, parameters }]
      compileToolCalls({ tools, choice: 'required', areParallel: false }, toolFormOf(name))
    }
    const path = 'tools[0].function.parameters.properties.value'
    const refused = expect.objectContaining({ name: 'SchemaRefused', path })
    expect(() => compile({ enum: ['x', text] })).toThrow(refused)
    expect(() => compile({ const: text, type: ['string', 'null'] })).toThrow(refused)
    // A beginning of the mark is no mark.
    compile({ enum: [text.slice(0, -2)] })
  },
)

test('a complex argument, and many calls, leave the types of the other arguments known', () => {
  const kinds = Array.from({ length: 40 }, (_, index) => ({
    type: 'object',
    properties: { type: { const: `kind${index}` }, label: { type: 'string' } },
    required: ['type', 'label'],
  }))
  const properties = { node: { oneOf: kinds }, id: { type: 'string' } }
  const parameters = JSON.stringify({ type: 'object', properties, required: ['node', 'id'] })
  const tools = [{ name: 'put', description: undefined, parameters }]
  const call =
    '<tool_call>\n<function=put>\n<parameter=node>\n{"type": "kind1", "label": "a"}\n</parameter>\n' +
    '<parameter=id>\n1000\n</parameter>\n</function>\n</tool_call>'
  for (let choice = 0; choice < 20; choice++) {
    const { calls } = readCalls(toolFormOf('functionXml'), tools, call)
    expect(JSON.parse(calls[0]?.text ?? '{}')).toMatchObject({ id: '1000' })
  }
})
