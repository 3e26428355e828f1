import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { readCalls, sampleCalls } from '../../../test/support/schemas/call-sampling.ts'
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
const words = ['start', 'end', 'a', 'b', 'c', 'x', '3']

const span = {
  type: 'object',
  properties: { start: { type: 'integer' }, end: { type: 'integer' } },
  required: ['start'],
  dependentRequired: { start: ['end'] },
}

describe.each(forms)('the form %s', (form) => {
  test.each([
    ['dependentRequired', span],
    ['not', { ...span, dependentRequired: {}, not: { required: ['start', 'end'] } }],
    ['dependentRequired of a nested object', { properties: { span }, required: ['span'] }],
  ])('never leaves out a required name beside %s', (_, schema) => {
    const isValid = validator(schema)
    const values = sample(form, schema)
    expect(values.length).toBeGreaterThan(10)
    for (const value of values) expect([value, isValid(value)]).toEqual([value, true])
  })
})
