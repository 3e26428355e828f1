import {
  at,
  must,
  mustRefuse,
  mustSucceed,
  NotApplicable,
  type Rule,
  show,
  textOf,
} from './rule.ts'
import { readStream } from './stream.ts'
import type { Target } from './target.ts'

const person = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 12 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
  },
  required: ['name', 'age'],
  additionalProperties: false,
}
const tools = [
  {
    type: 'function',
    function: { name: 'save_person', description: 'Saves a person.', parameters: person },
  },
]
const about = { messages: [{ role: 'user', content: 'Ada is 36 years old.' }], max_tokens: 128 }

/** Rules of optional parameters: each has its effect or is refused by name. */
export const parameterRules: Rule[] = [
  {
    id: 'stop',
    of: 'field',
    says: 'the text ends before a stop sequence',
    check: async (target) => {
      const whole = textOf(mustSucceed(await target.keptChat()))
      const stop = whole.slice(3, 6)
      if (stop.length < 3) throw new NotApplicable('the reply is too short for a stop sequence')
      const cut = textOf(mustSucceed(await target.chat({ stop: [stop] })))
      must(
        cut === whole.slice(0, whole.indexOf(stop)),
        `${show(cut)} with stop ${show(stop)} of ${show(whole)}`,
      )
    },
  },
  {
    id: 'seed',
    of: 'field',
    says: 'the same seed gives the same text at temperature 1',
    check: async (target) => {
      const fields = { temperature: 1, seed: 17, max_tokens: 16 }
      const [one, two] = [await target.chat(fields), await target.chat(fields)].map((reply) =>
        textOf(mustSucceed(reply)),
      )
      must(one === two, show([one, two]))
    },
  },
  {
    id: 'n',
    of: 'field',
    says: 'n gives n choices with different indexes, also when streamed',
    check: async (target) => {
      const whole = mustSucceed(await target.chat({ n: 2, temperature: 1, max_tokens: 8 }))
      const indexes = [0, 1].map((i) => at(whole, 'choices', i, 'index'))
      must(
        at(whole, 'choices', 'length') === 2 && show(indexes) === '[0,1]',
        show(at(whole, 'choices')),
      )
      const { chunks } = readStream(
        await target.chat({ n: 2, temperature: 1, max_tokens: 8, stream: true }),
      )
      const seen = new Set(chunks.map((chunk) => at(chunk, 'choices', 0, 'index')))
      must(seen.has(0) && seen.has(1), `indexes ${show([...seen])}`)
    },
  },
  {
    id: 'logprobs',
    of: 'field',
    says: 'logprobs has one entry per token, with top_logprobs alternatives, most likely first',
    check: async (target) => {
      const reply = mustSucceed(
        await target.chat({ logprobs: true, top_logprobs: 2, max_tokens: 4 }),
      )
      const entry = at(reply, 'choices', 0, 'logprobs', 'content', 0)
      must(typeof at(entry, 'token') === 'string' && Number(at(entry, 'logprob')) <= 0, show(entry))
      const top = [0, 1].map((i) => Number(at(entry, 'top_logprobs', i, 'logprob')))
      must(at(entry, 'top_logprobs', 'length') === 2 && (top[0] ?? 0) >= (top[1] ?? 0), show(entry))
    },
  },
  {
    id: 'logit_bias',
    of: 'field',
    says: 'logit_bias 100 makes a token appear every time',
    check: async (target) => {
      const fields = { logit_bias: { '100': 100 }, logprobs: true, max_tokens: 3 }
      const content = at(
        mustSucceed(await target.chat(fields)),
        'choices',
        0,
        'logprobs',
        'content',
      )
      const tokens = Array.isArray(content) ? content.map((one) => show(at(one, 'bytes'))) : []
      must(tokens.length > 0 && new Set(tokens).size === 1, show(content))
    },
  },
  range('top_p', { top_p: 1.1 }),
  range('presence_penalty', { presence_penalty: 2.1 }),
  range('frequency_penalty', { frequency_penalty: -2.1 }),
  range('n.range', { n: 1_000_000 }),
  range('top_logprobs', { logprobs: true, top_logprobs: 21 }),
  {
    id: 'max_completion_tokens',
    of: 'field',
    says: 'max_completion_tokens is an alias of max_tokens',
    check: async (target) => {
      const fields = { max_tokens: undefined, max_completion_tokens: 1 }
      const reply = mustSucceed(await target.chat(fields))
      const tokens = Number(at(reply, 'usage', 'completion_tokens'))
      must(tokens === 1, `${tokens} tokens`)
    },
  },
  {
    id: 'json_object',
    of: 'field',
    says: 'response_format json_object gives a JSON object, or finish_reason length',
    check: async (target) => {
      const reply = mustSucceed(
        await target.chat({ ...about, response_format: { type: 'json_object' } }),
      )
      mustBeJson(reply)
    },
  },
  {
    id: 'json_schema',
    of: 'field',
    says: 'response_format json_schema gives JSON that matches the schema',
    check: async (target) => {
      const json_schema = { name: 'person', strict: true, schema: person }
      const fields = {
        ...about,
        temperature: 1,
        response_format: { type: 'json_schema', json_schema },
      }
      mustBePerson(mustBeJson(mustSucceed(await target.chat(fields))))
    },
  },
  {
    id: 'json_schema.unknown',
    of: 'pipit',
    says: 'a schema with an unsupported keyword is refused with the name of the keyword',
    check: async (target) => {
      const schema = { ...person, dependentSchemas: { name: { required: ['age'] } } }
      const json_schema = { name: 'person', strict: true, schema }
      const reply = await target.chat({
        ...about,
        response_format: { type: 'json_schema', json_schema },
      })
      mustRefuse(reply, { status: 400 })
      must(reply.text.includes('dependentSchemas'), `the name is missing in ${show(reply.text)}`)
    },
  },
  {
    id: 'tools.forced',
    of: 'field',
    says: 'a required tool is called with arguments that match its schema',
    check: async (target) => {
      const reply = mustSucceed(await target.chat({ ...about, tools, tool_choice: 'required' }))
      const call = at(reply, 'choices', 0, 'message', 'tool_calls', 0)
      must(at(call, 'function', 'name') === 'save_person', show(at(reply, 'choices', 0)))
      must(typeof at(call, 'id') === 'string' && at(call, 'type') === 'function', show(call))
      mustBePerson(parseText(String(at(call, 'function', 'arguments'))))
    },
  },
  {
    id: 'tools.result',
    of: 'field',
    says: 'a tool result is accepted as a message',
    check: async (target) => {
      const call = {
        id: 'call_1',
        type: 'function',
        function: { name: 'save_person', arguments: '{"name":"Ada","age":36}' },
      }
      const messages = [
        ...about.messages,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'saved' },
      ]
      textOf(mustSucceed(await target.chat({ messages, tools, max_tokens: 8 })))
    },
  },
  {
    id: 'parameter.unsupported',
    of: 'pipit',
    says: 'an unsupported OpenAI parameter is refused by name',
    check: async (target) => {
      const reply = await target.chat({
        modalities: ['text', 'audio'],
        audio: { voice: 'alloy', format: 'wav' },
      })
      mustRefuse(reply, { status: 400, code: 'unsupported_parameter' })
    },
  },
  {
    id: 'parameter.unknown',
    of: 'pipit',
    says: 'an unknown parameter is ignored and named in x-ignored-parameters',
    check: async (target) => {
      const reply = await target.chat({ frobnicate: 1, max_tokens: 1 })
      mustSucceed(reply)
      const ignored = reply.headers.get('x-ignored-parameters')
      must(ignored === 'frobnicate', `x-ignored-parameters ${show(ignored)}`)
    },
  },
  {
    id: 'parameter.neutral',
    of: 'field',
    says: 'user, metadata and store are accepted',
    check: async (target) => {
      const fields = { user: 'ada', metadata: { team: 'a' }, store: false, max_tokens: 1 }
      textOf(mustSucceed(await target.chat(fields)))
    },
  },
]

function range(id: string, fields: Record<string, unknown>): Rule {
  const check = async (target: Target) =>
    mustRefuse(await target.chat(fields), { status: [400, 422] })
  return {
    id: id.includes('.') ? id : `${id}.range`,
    of: 'field',
    says: `${show(fields)} is refused`,
    check,
  }
}

/** Returns the object, or undefined if the reply was cut and its finish_reason says so. @throws Broken */
function mustBeJson(reply: unknown): unknown {
  const text = textOf(reply)
  if (at(reply, 'choices', 0, 'finish_reason') === 'length') return undefined
  const found = parseText(text)
  must(typeof found === 'object' && found !== null && !Array.isArray(found), show(text))
  return found
}

function mustBePerson(found: unknown): void {
  if (found === undefined) return
  const [name, age] = [at(found, 'name'), at(found, 'age')]
  const ages = typeof age === 'number' && Number.isInteger(age) && age >= 0 && age <= 150
  must(typeof name === 'string' && Array.from(name).length <= 12 && ages, show(found))
  must(Object.keys(found as object).length === 2, show(found))
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    must(false, `not JSON: ${show(text)}`)
  }
}
