const person = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    age: { type: 'integer', minimum: 18, maximum: 130 },
    friend: { $ref: '#' },
  },
  required: ['name', 'age'],
  additionalProperties: false,
}

/** Schemas of each kind. Each has a text of fewer than 50 tokens in the vocabulary of `grammar-sampling.ts`. */
export const closingSchemas: [name: string, schema: unknown][] = [
  ['any object', { type: 'object' }],
  ['a string', { type: 'string' }],
  ['a string of a length', { type: 'string', minLength: 5, maxLength: 40 }],
  ['a pattern', { type: 'string', pattern: '^[a-f]{3}-[0-9]+$' }],
  ['a date', { type: 'string', format: 'date' }],
  ['a number', { type: 'number' }],
  ['a range', { type: 'integer', minimum: 1000, maximum: 99_999 }],
  ['a boolean or null', { type: ['boolean', 'null'] }],
  ['a label', { enum: ['positive', 'negative', 'neutral'] }],
  ['a constant', { const: { a: [1, 2, { b: 'c' }] } }],
  ['a list', { type: 'array', items: { type: 'string' } }],
  ['a list of a length', { type: 'array', items: { type: 'boolean' }, minItems: 3, maxItems: 9 }],
  ['a list of objects', { type: 'array', items: person, minItems: 1 }],
  ['a record', person],
  ['free names', { type: 'object', additionalProperties: { type: 'integer' } }],
  ['a nested record', { type: 'object', properties: { a: person }, required: ['a'] }],
  ['alternatives', { anyOf: [person, { type: 'array', items: { $ref: '#' } }, { const: 'x' }] }],
  ['a tree', { type: 'object', properties: { l: { $ref: '#' }, r: { $ref: '#' } } }],
  ['characters beyond ASCII', { type: 'string', pattern: '^[ぁ-ん]{2,4}$' }],
  [
    'long names',
    {
      type: 'object',
      properties: Object.fromEntries(
        ['firstNameOfPerson', 'lastNameOfPerson'].map((name) => [name, { type: 'string' }]),
      ),
      required: ['firstNameOfPerson', 'lastNameOfPerson'],
    },
  ],
]
