import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { readCalls, sampleCalls } from '../../../test/support/schemas/call-sampling.ts'
import { sampleWithin, tokensNeeded } from '../../../test/support/schemas/grammar-sampling.ts'
import { compileToolCalls, type ToolCalls } from './compile-tools.ts'
import { toolFormNames, toolFormOf } from './detect-tool-form.ts'
import { openingsOf, type ToolForm } from './tool-form.ts'

const schemas: Record<string, object> = {
  book: {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer', minimum: 1, maximum: 99 },
      unit: { enum: ['day', 'night', 7, null] },
      note: { type: ['string', 'null'] },
      exact: { type: 'boolean' },
      rooms: {
        type: 'array',
        minItems: 1,
        maxItems: 2,
        items: {
          type: 'object',
          properties: { beds: { $ref: '#/$defs/beds' } },
          required: ['beds'],
        },
      },
    },
    required: ['city', 'days', 'rooms'],
    additionalProperties: false,
    $defs: { beds: { type: 'number', minimum: 0.5 } },
  },
  stop_all: { type: 'object', properties: {}, additionalProperties: false },
  free: { type: 'object', additionalProperties: { type: 'integer' } },
}
const tools = Object.entries(schemas).map(([name, schema]) => ({
  name,
  description: undefined,
  parameters: name === 'stop_all' ? undefined : JSON.stringify(schema),
}))
const validators = new Map(
  Object.entries(schemas).map(([name, schema]) => [
    name,
    new Ajv2020({ strict: false }).compile(schema),
  ]),
)

const read = (form: ToolForm, reply: string, size?: number) => readCalls(form, tools, reply, size)

function sample(form: ToolForm, calls: Partial<ToolCalls>, count: number): string[] {
  return sampleCalls(form, { tools, choice: 'required', areParallel: true, ...calls }, count)
}

describe.each(toolFormNames)('the form %s', (name) => {
  const form = toolFormOf(name)

  test('has only well-formed UTF-8, whatever bytes are likely and wherever the limit is', () => {
    const [book] = tools
    const note = { type: 'object', properties: { note: { type: 'string' } }, required: ['note'] }
    const simple = { ...book!, parameters: JSON.stringify(note) }
    for (const choice of ['auto', 'required'] as const) {
      const grammar = compileToolCalls({ tools: [simple], choice, areParallel: false }, form)
      const needed = tokensNeeded(grammar)
      for (let seed = 0; seed < 30; seed++)
        expect(sampleWithin(grammar, seed, needed + seed)).not.toContain('\ufffd')
    }
  })

  test('has only calls that are read again, with arguments that are valid against the schema', () => {
    const called = new Set<string>()
    let most = 0
    const replies = sample(form, {}, 40)
    expect(replies.length).toBeGreaterThan(5)
    for (const reply of replies) {
      const { text, calls, hasCalled } = read(form, reply)
      expect([reply, text, hasCalled]).toEqual([reply, '', true])
      expect(read(form, reply, reply.length).calls).toEqual(calls)
      for (const call of calls) {
        called.add(call.name)
        const isValid = validators.get(call.name)?.(JSON.parse(call.text))
        expect([reply, call.text, isValid]).toEqual([reply, call.text, true])
      }
      most = Math.max(most, calls.length)
    }
    expect([...called].toSorted()).toEqual(['book', 'free', 'stop_all'])
    expect(most > 1).toBe(form.isSingle !== true)
  })

  test('has one call of the named tool where only that is allowed', () => {
    for (const reply of sample(form, { choice: { name: 'book' }, areParallel: false }, 12))
      expect(read(form, reply).calls.map((call) => call.name)).toEqual(['book'])
  })

  test('lets a text without a call stay text, and reads a call after a text', () => {
    const seen = new Set<string>()
    for (const reply of sample(form, { choice: 'auto', areParallel: false }, 30)) {
      const { text, calls, hasCalled } = read(form, reply)
      seen.add(calls.length === 0 ? 'text' : 'call')
      expect([reply, calls.length > 0]).toEqual([reply, hasCalled])
      expect(reply.startsWith(text)).toBe(true)
      if (calls.length === 0) expect(text).toBe(reply)
      for (const call of calls)
        expect(validators.get(call.name)?.(JSON.parse(call.text))).toBe(true)
    }
    expect([...seen].toSorted()).toEqual(['call', 'text'])
  })

  test('allows calls or a final object beside each other, and nothing else', () => {
    const schema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] }
    const final = { type: 'json_schema', schema: JSON.stringify(schema), at: 'at' } as const
    const seen = new Set<string>()
    for (const reply of sample(form, { choice: 'auto', final }, 24)) {
      const { text, calls } = readCalls(form, tools, reply, 3, true)
      seen.add(calls.length === 0 ? 'final' : 'call')
      if (calls.length === 0) expect(JSON.parse(text)).toEqual({ sum: expect.any(Number) })
      else expect(text).toBe('')
    }
    expect([...seen].toSorted()).toEqual(['call', 'final'])
  })

  test('lets a final object contain what begins a call', () => {
    // No text can contain the marks of the form `structured`.
    if (form.isReserved === true) return
    for (const begin of openingsOf(form)) {
      const note = { const: `x ${begin} y` }
      const schema = JSON.stringify({ properties: { note }, required: ['note'], type: 'object' })
      const final = { type: 'json_schema', schema, at: 'at' } as const
      const found = sample(form, { choice: 'auto', final }, 24).map((reply) =>
        readCalls(form, tools, reply, 3, true),
      )
      const texts = found.filter(({ calls }) => calls.length === 0).map(({ text }) => text)
      expect(texts.length).toBeGreaterThan(0)
      for (const text of texts) expect(JSON.parse(text)).toEqual({ note: note.const })
      for (const { text, calls } of found) if (calls.length > 0) expect(text).toBe('')
    }
  })
})
