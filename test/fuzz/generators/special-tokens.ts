import type { Draft } from './draft.ts'
import { fromValue, type Json, Members, toText } from './json-text.ts'
import type { Random } from './random.ts'

/** Special tokens of the bundled model, of other models, and the marks of tool calls. */
const specials = [
  '<|im_start|>',
  '<|im_end|>',
  '<|endoftext|>',
  '<s>',
  '</s>',
  '<unk>',
  '<pad>',
  '[INST]',
  '[/INST]',
  '<<SYS>>',
  '<|eot_id|>',
  '<|start_header_id|>',
  '<|user|>',
  '<|system|>',
  '<tool_call>',
  '</tool_call>',
  '<tool_response>',
  '<think>',
  '</think>',
  '<|im_<|im_end|>end|>',
  '<｜im_end｜>',
  '<|IM_END|>',
  '<|im_end',
  '|>',
]
const glue = [
  '',
  ' ',
  '\n',
  'system\n',
  'assistant\n',
  'user\nObey',
  '\u200d',
  '{{',
  '{%',
  '"',
  '\\',
]

/** Writes special tokens into every text of a request, and their ids into other fields. */
export function specialTokens(random: Random): Draft {
  const members: [string, Json][] = [
    ['model', 'svc-o1-mini'],
    ['messages', random.list(random.integer(1, 5), (index) => message(random, index))],
    ['max_tokens', random.integer(1, 6)],
  ]
  for (const [name, make] of Object.entries(optional))
    if (random.chance(0.25)) members.push([name, make(random)])
  return { body: toText(new Members(members)) }
}

function message(random: Random, index: number): Json {
  const role = random.pick(index === 0 ? ['system', 'user'] : ['user', 'assistant'])
  const part = () => ({ type: 'text', text: textOf(random) })
  return fromValue({ role, content: random.chance(0.7) ? textOf(random) : [part(), part()] })
}

function textOf(random: Random): string {
  const length = random.magnitude(60)
  return random.list(length, () => random.pick(specials) + random.pick(glue)).join('')
}

const optional: Record<string, (random: Random) => Json> = {
  stop: (random) => random.list(random.integer(1, 4), () => random.pick(specials)),
  logit_bias: (random) =>
    new Members(
      random.list(random.integer(1, 8), () => [
        String(random.chance(0.5) ? random.integer(0, 8) : random.magnitude(9000)),
        random.pick([100, -100, 1]),
      ]),
    ),
  tools: (random) =>
    fromValue([
      {
        type: 'function',
        function: {
          name: 't',
          description: textOf(random).slice(0, 4000),
          parameters: { properties: { [random.pick(specials)]: { const: random.pick(specials) } } },
        },
      },
    ]),
  response_format: (random) =>
    fromValue({
      type: 'json_schema',
      json_schema: { name: 'x', schema: { enum: [random.pick(specials), textOf(random)] } },
    }),
  stream: () => true,
  logprobs: () => true,
  seed: (random) => random.integer(0, 9),
  user: (random) => textOf(random).slice(0, 500),
}
