import type { Draft } from './draft.ts'
import { fromValue, hostileText, hostileValue, type Json, Members, toText } from './json-text.ts'
import type { Random } from './random.ts'
import { shortRequest } from './schema-request.ts'
import { randomSchema } from './schemas.ts'

/** Offers hostile tools, or sends a conversation with hostile calls and results. */
export function hostileTools(random: Random): Draft {
  const count = random.oneOf(
    () => random.integer(1, 3),
    () => random.magnitude(140),
  )
  const tools = random.list(count, (index) => tool(random, index))
  const members = shortRequest(random).filter(([name]) => name !== 'messages')
  return {
    body: toText(
      new Members([
        ...members,
        [
          'messages',
          random.chance(0.5) ? fromValue([{ role: 'user', content: 'Go.' }]) : calls(random),
        ],
        ['tools', tools],
        ...(random.chance(0.7) ? [['tool_choice', choice(random)] as [string, Json]] : []),
        ...(random.chance(0.3)
          ? [['parallel_tool_calls', random.chance(0.5)] as [string, Json]]
          : []),
      ]),
    ),
  }
}

function tool(random: Random, index: number): Json {
  const name = random.chance(0.9) ? `t${index}` : hostileText(random, 200)
  const parameters: Json = random.oneOf<Json>(
    () => fromValue({ type: 'object', properties: { a: { type: 'string' } } }),
    () => fromValue(randomSchema(random)),
    () => new Members([]),
    () => (random.chance(0.3) ? hostileValue(random) : null),
  )
  const description = random.chance(0.8) ? 'Does it.' : hostileText(random, 5000)
  return fromMembers([
    ['type', 'function'],
    [
      'function',
      fromMembers([
        ['name', name],
        ['description', description],
        ['parameters', parameters],
        ['strict', random.chance(0.5)],
      ]),
    ],
  ])
}

function choice(random: Random): Json {
  return random.oneOf<Json>(
    () => random.pick(['auto', 'none', 'required']),
    () => fromValue({ type: 'function', function: { name: 't0' } }),
    () => hostileValue(random),
  )
}

/** Returns a user's message, calls and their results, of which some do not belong together. */
function calls(random: Random): Json {
  const count = random.magnitude(130)
  const call = (index: number): Json =>
    fromMembers([
      ['id', random.chance(0.95) ? `c${index}` : hostileText(random, 300)],
      ['type', 'function'],
      [
        'function',
        fromMembers([
          ['name', 't0'],
          [
            'arguments',
            random.chance(0.8)
              ? '{"a":"b"}'
              : random.pick([
                  '',
                  '[]',
                  '{',
                  '"',
                  `{"a":${'['.repeat(random.magnitude(50_000))}`,
                  `{"a":"${'x'.repeat(random.magnitude(50_000))}"}`,
                ]),
          ],
        ]),
      ],
    ])
  const result = (index: number): Json =>
    fromMembers([
      ['role', 'tool'],
      ['tool_call_id', `c${index + (random.chance(0.02) ? 1000 : 0)}`],
      ['content', random.chance(0.9) ? 'ok' : hostileText(random, 20_000)],
    ])
  return [
    fromValue({ role: 'user', content: 'Go.' }),
    fromMembers([
      ['role', 'assistant'],
      ['content', null],
      ['tool_calls', random.list(count, call)],
    ]),
    ...random.list(random.integer(0, count), result),
  ]
}

function fromMembers(entries: [string, Json][]): Members {
  return new Members(entries)
}
