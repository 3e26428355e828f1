import type { BadRequest } from './bad-request.ts'

const toolOf = (changed: object) => ({ type: 'function', function: { name: 'f', ...changed } })
const tool = toolOf({})
const jsonSchema = (schema: unknown) => ({
  type: 'json_schema',
  json_schema: { name: 'a', schema },
})
const nested = (levels: number): object =>
  levels === 0 ? {} : { properties: { a: nested(levels - 1) } }

export const badTools = (
  [
    ['not a list', { tools: {} }, 'invalid_type', 'tools'],
    [
      'without a function',
      { tools: [{ type: 'function' }] },
      'missing_required_parameter',
      'tools[0].function',
    ],
    ['of another type', { tools: [{ ...tool, type: 'web' }] }, 'invalid_value', 'tools[0].type'],
    [
      'without a name',
      { tools: [toolOf({ name: undefined })] },
      'missing_required_parameter',
      'tools[0].function.name',
    ],
    [
      'with a space in its name',
      { tools: [toolOf({ name: 'a b' })] },
      'invalid_value',
      'tools[0].function.name',
    ],
    [
      'with a long name',
      { tools: [toolOf({ name: 'a'.repeat(65) })] },
      'invalid_value',
      'tools[0].function.name',
    ],
    ['of the same name', { tools: [tool, tool] }, 'invalid_value', 'tools[1].function.name'],
    [
      'too many',
      { tools: Array.from({ length: 129 }, (_, i) => toolOf({ name: `f${i}` })) },
      'array_above_max_length',
      'tools',
    ],
    [
      'with a keyword',
      {
        tools: [
          tool,
          toolOf({
            name: 'g',
            parameters: {
              required: ['a'],
              properties: { a: { type: 'string', pattern: String.raw`(a)\1` } },
            },
          }),
        ],
      },
      'unsupported_value',
      'tools[1].function.parameters.properties.a.pattern',
    ],
    [
      'without a possible object',
      { tools: [toolOf({ parameters: { type: 'string' } })] },
      'unsupported_value',
      'tools[0].function.parameters',
    ],
    [
      'of nearly 1 MiB',
      { tools: [toolOf({ parameters: { const: 'x'.repeat(1e6) } })] },
      'unsupported_value',
      'tools',
    ],
    ['none, and one required', { tool_choice: 'required' }, 'invalid_value', 'tool_choice'],
    ['and another choice', { tools: [tool], tool_choice: 'any' }, 'invalid_value', 'tool_choice'],
    [
      'and a choice of none of them',
      { tools: [tool], tool_choice: { type: 'function', function: { name: 'g' } } },
      'invalid_value',
      'tool_choice',
    ],
    [
      'and a schema of the reply',
      {
        tools: [tool],
        response_format: { type: 'json_object', schema: { $ref: '#/$defs/none' } },
      },
      'unsupported_value',
      'response_format.schema.$ref',
    ],
  ] as [string, object, string, string][]
).map(([name, more, code, param]): BadRequest => [`tools ${name}`, more, code, param])

export const badFormats = (
  [
    ['no type', {}, 'missing_required_parameter', '.type'],
    ['another type', { type: 'xml' }, 'invalid_value', '.type'],
    ['no schema', { type: 'json_schema' }, 'missing_required_parameter', '.json_schema'],
    [
      'a schema without a name',
      { type: 'json_schema', json_schema: { schema: {} } },
      'missing_required_parameter',
      '.json_schema.name',
    ],
    [
      'a name with a space',
      { type: 'json_schema', json_schema: { name: 'a b', schema: {} } },
      'invalid_value',
      '.json_schema.name',
    ],
    [
      'a keyword',
      jsonSchema({
        required: ['a'],
        properties: { a: { type: 'string', pattern: String.raw`(a)\1` } },
      }),
      '',
      '.properties.a.pattern',
    ],
    [
      '100,000 values',
      jsonSchema({ enum: Array.from({ length: 1e5 }, (_, i) => i) }),
      'invalid_json',
      undefined,
    ],
    ['40,000 values', jsonSchema({ enum: Array.from({ length: 4e4 }, (_, i) => i) }), '', ''],
    ['2,000 values', jsonSchema({ enum: Array.from({ length: 2e3 }, (_, i) => i) }), '', '.enum'],
    ['a schema of nearly 1 MiB', jsonSchema({ const: 'x'.repeat(1_000_000) }), '', ''],
    ['endless recursion', jsonSchema({ $ref: '#' }), '', ''],
    ['no value at all', jsonSchema(false), '', ''],
    [
      'a keyword beside json_object',
      {
        type: 'json_object',
        schema: {
          required: ['a'],
          properties: { a: { type: 'string', pattern: String.raw`(a)\1` } },
        },
      },
      'unsupported_value',
      '.schema.properties.a.pattern',
    ],
    ['a schema beside text', { type: 'text', schema: {} }, 'invalid_value', '.schema'],
    [
      'a named schema beside json_object',
      { type: 'json_object', json_schema: { name: 'a', schema: {} } },
      'invalid_value',
      '.json_schema',
    ],
    ['deep nesting', jsonSchema(nested(100)), 'invalid_json', undefined],
    ['more than 64 KiB', jsonSchema({ title: 'x'.repeat(64 * 1024) }), '', ''],
  ] as [string, unknown, string, string | undefined][]
).map(([name, format, code, path]): BadRequest => [
  `response_format: ${name}`,
  { response_format: format },
  code || 'unsupported_value',
  path === undefined ? null : `response_format${code === '' ? '.json_schema.schema' : ''}${path}`,
])
