import type { Draft } from './draft.ts'
import { fromValue, type Json, Members, toText } from './json-text.ts'
import type { Random } from './random.ts'

/** Returns a request for a reply of this schema; the reply itself is short. */
export function withSchema(random: Random, schema: unknown): Draft {
  const format: Json = random.chance(0.8)
    ? new Members([
        ['type', 'json_schema'],
        [
          'json_schema',
          new Members([
            ['name', 'x'],
            ['schema', toJson(schema)],
          ]),
        ],
      ])
    : new Members([
        ['type', 'json_object'],
        ['schema', toJson(schema)],
      ])
  return {
    body: toText(new Members([...shortRequest(random), ['response_format', format]])),
  }
}

export function shortRequest(random: Random): [string, Json][] {
  return [
    ['model', 'svc-o1-mini'],
    ['messages', fromValue([{ role: 'user', content: 'Give me one.' }])],
    ['max_tokens', random.integer(1, 4)],
    ['stream', random.chance(0.3)],
  ]
}

function toJson(schema: unknown): Json {
  return schema instanceof Members ? schema : fromValue(schema)
}
