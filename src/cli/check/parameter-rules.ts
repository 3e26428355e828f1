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
import { about, mustBeJson, mustBePerson, person } from './person.ts'
import { readStream } from './stream.ts'
import type { Target } from './target.ts'

/** Rules on optional parameters: each one has its effect or is refused by name. */
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
      // The token that ends a reply may have an entry or not, and thoughts have none.
      const thought = at(reply, 'usage', 'completion_tokens_details', 'reasoning_tokens')
      if (at(reply, 'choices', 0, 'finish_reason') !== 'length' || thought) return
      const entries = at(reply, 'choices', 0, 'logprobs', 'content', 'length')
      const tokens = at(reply, 'usage', 'completion_tokens')
      must(entries === tokens, `${show(entries)} entries for ${show(tokens)} tokens`)
    },
  },
  {
    id: 'logit_bias',
    of: 'field',
    says: 'logit_bias 100 makes a token appear every time',
    check: async (target) => {
      // The first ids of a vocabulary can be single bytes, which cannot repeat in well-formed text.
      const fields = { logit_bias: { '1000': 100 }, logprobs: true, max_tokens: 3 }
      const content = at(
        mustSucceed(await target.chat(fields)),
        'choices',
        0,
        'logprobs',
        'content',
      )
      const tokens = Array.isArray(content)
        ? content.map((one) => show(at(one, 'bytes') ?? at(one, 'token')))
        : []
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
    says: 'a schema that cannot be enforced is refused with the name of the keyword',
    check: async (target) => {
      const objects = { type: 'array', items: person, uniqueItems: true }
      const schema = { ...person, properties: { ...person.properties, friends: objects } }
      const json_schema = { name: 'person', strict: true, schema }
      const reply = await target.chat({
        ...about,
        response_format: { type: 'json_schema', json_schema },
      })
      mustRefuse(reply, { status: 400 })
      must(reply.text.includes('uniqueItems'), `the name is missing in ${show(reply.text)}`)
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
