import type { Draft } from './draft.ts'
import {
  fromValue,
  hostileText,
  hostileValue,
  type Json,
  Members,
  RawJson,
  charsLeft,
  toText,
} from './json-text.ts'
import type { Random } from './random.ts'

/** Makes a valid request with a random selection of fields, then changes one to four places in it. */
export function chatMutation(random: Random): Draft {
  const body = new Members(validMembers(random))
  const changes = random.integer(1, 4)
  let text = toText(body)
  for (let change = 0; change < changes; change += 1) {
    mutate(body, random)
    if (charsLeft(body, bodyCharsMax) < 0) break
    text = toText(body)
  }
  return { body: text }
}

/** Copies of copies can make a body longer than the longest string. A change that makes it longer than this is dropped. */
const bodyCharsMax = 8_000_000

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'grammar',
  'guided_regex',
  'json_schema',
  'functions',
  'echo',
  'suffix',
  'best_of',
  'min_tokens',
  'api_base',
  'base_url',
  'role',
  'account_id',
  'model',
  'messages',
  '',
  '\u0000',
  '\ud800',
  'unknown',
]

const fields: Record<string, unknown> = {
  max_tokens: 4,
  max_completion_tokens: 4,
  temperature: 0.5,
  stream: false,
  stream_options: { include_usage: true },
  top_p: 0.9,
  top_k: 40,
  min_p: 0.1,
  seed: 7,
  stop: ['\n\n', 'END'],
  presence_penalty: 0.5,
  frequency_penalty: -0.5,
  logit_bias: { 5: 1, 17: -100 },
  logprobs: true,
  top_logprobs: 3,
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'answer',
      description: 'An answer',
      schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
      strict: true,
    },
  },
  tools: [
    {
      type: 'function',
      function: {
        name: 'weather',
        description: 'Tells the weather',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        strict: false,
      },
    },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  n: 2,
  user: 'u',
  metadata: { a: 'b' },
  store: false,
  service_tier: 'auto',
  safety_identifier: 's',
  prompt_cache_key: 'p',
}

const conversation = [
  { role: 'system', content: 'Be brief.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is a ' },
      { type: 'text', text: 'pipit?' },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      {
        id: 'call_1',
        type: 'function',
        function: { name: 'weather', arguments: '{"city":"Rome"}' },
      },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' },
  { role: 'user', content: 'Thanks. And?' },
]

/**
 * Returns the required fields and a few optional ones. If all were present, some would contradict each other, and the
 * resulting refusal would hide every change.
 */
function validMembers(random: Random): [string, Json][] {
  const messages = random.chance(0.5) ? conversation : conversation.slice(0, 2)
  const members: [string, Json][] = [
    ['model', 'svc-o1-mini'],
    ['messages', fromValue(messages)],
  ]
  const share = random.pick([0.1, 0.3])
  for (const [name, value] of Object.entries(fields))
    if (name === 'max_tokens' || random.chance(share)) members.push([name, fromValue(value)])
  return members
}

type Place = { container: Members | Json[]; at: number }

function mutate(body: Members, random: Random): void {
  // Earlier changes may have removed every member.
  if (body.entries.length === 0) return
  const { container, at } = random.pick(placesIn(body))
  if (Array.isArray(container)) return mutateList(container, at, random)
  const { entries } = container
  const entry = entries[at]
  if (entry === undefined) return
  random.oneOf(
    () => (entry[1] = hostileValue(random)),
    () => (entry[1] = hostileValue(random)),
    () => (entry[1] = hostileValue(random)),
    () => (entry[1] = null),
    () => entries.splice(at, 1),
    () => (entry[0] = hostileText(random, 2000)),
    () => entries.push([entry[0], hostileValue(random)]),
    () => entries.push([random.pick(names), hostileValue(random)]),
    () => (entry[1] = [entry[1]]),
    () =>
      (entry[1] = new RawJson(`${' \n\t'.repeat(random.magnitude(20_000))}${toText(entry[1])}`)),
  )
}

function mutateList(list: Json[], at: number, random: Random): void {
  const element = list[at] ?? null
  random.oneOf<unknown>(
    () => (list[at] = hostileValue(random)),
    () => list.splice(at, 1),
    () => list.push(...random.list(random.magnitude(700), () => element)),
    () => list.push(list),
  )
  // A list that contains itself cannot be serialised.
  const own = list.indexOf(list)
  if (own >= 0) list[own] = list.filter((other) => other !== list)
}

/** Lists every member and element below `json`. */
function placesIn(json: Json): Place[] {
  if (Array.isArray(json))
    return json.flatMap((element, at) => [{ container: json, at }, ...placesIn(element)])
  if (json instanceof Members)
    return json.entries.flatMap(([, value], at) => [{ container: json, at }, ...placesIn(value)])
  return []
}
