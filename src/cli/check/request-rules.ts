import {
  at,
  must,
  mustFail,
  mustRefuse,
  mustSucceed,
  type Refusal,
  type Rule,
  show,
  textOf,
} from './rule.ts'
import type { Ask, Target } from './target.ts'

const user = [{ role: 'user', content: 'Hi' }]
const badRequest = [400, 422] as const

/** Requests that break what the interface requires of their fields. */
const broken: readonly [id: string, says: string, fields: Record<string, unknown>][] = [
  ['model.missing', 'a request without a model is refused', { model: undefined }],
  ['model.other', 'an unknown model is refused', { model: 'gpt-unknown' }],
  ['messages.missing', 'a request without messages is refused', { messages: undefined }],
  ['messages.type', 'messages that are not a list are refused', { messages: 'Hi' }],
  ['messages.role', 'an unknown role is refused', { messages: [{ role: 'robot', content: 'Hi' }] }],
  ['messages.no_role', 'a message without a role is refused', { messages: [{ content: 'Hi' }] }],
  ['messages.no_content', 'a message without content is refused', { messages: [{ role: 'user' }] }],
  [
    'messages.content_type',
    'content that is a number is refused',
    { messages: [{ role: 'user', content: 5 }] },
  ],
  ['max_tokens.above', 'max_tokens 2049 is refused', { max_tokens: 2049 }],
  ['max_tokens.fraction', 'max_tokens 1.5 is refused', { max_tokens: 1.5 }],
  ['max_tokens.text', 'max_tokens "5" is refused', { max_tokens: '5' }],
  ['temperature.above', 'temperature 1.01 is refused', { temperature: 1.01 }],
  ['temperature.below', 'temperature -0.01 is refused', { temperature: -0.01 }],
  ['temperature.text', 'temperature "hot" is refused', { temperature: 'hot' }],
  ['stream.boolean', 'stream "yes" is refused', { stream: 'yes' }],
]

/** Rules on valid and invalid requests. */
export const requestRules: Rule[] = [
  ...broken.map(([id, says, fields]): Rule => {
    const check = async (target: Target) => mustFail(await target.chat(fields))
    return { id, of: 'contract', says, check }
  }),
  {
    id: 'error.form',
    of: 'field',
    says: 'a refused request gets 400, 404 or 422 with an error object',
    check: async (target) => {
      for (const [, , fields] of broken)
        mustRefuse(await target.chat(fields), { status: [404, ...badRequest] })
    },
  },
  refused('messages.empty', 'an empty list of messages is refused', { messages: [] }),
  refused('messages.part', 'a content part that is not text is refused', {
    messages: [
      {
        role: 'user',
        content: [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }],
      },
    ],
  }),
  refused('max_tokens.zero', 'max_tokens 0 is refused', { max_tokens: 0 }),
  {
    id: 'max_tokens.most',
    of: 'contract',
    says: 'max_tokens 2048 is accepted',
    check: async (target) => {
      // Stop sequences, where they are offered, end the reply early.
      const stopped = await target.chat({ max_tokens: 2048, stop: [' ', '.', ',', 'e'] })
      const reply = stopped.status < 400 ? stopped : await target.chat({ max_tokens: 2048 })
      textOf(mustSucceed(reply))
    },
  },
  accepted('temperature.one', 'contract', 'temperature 1 is accepted', { temperature: 1 }),
  accepted('optional.missing', 'contract', 'model and messages are enough', {
    max_tokens: undefined,
    temperature: undefined,
  }),
  accepted('optional.null', 'field', 'null for an optional field means its default', {
    max_tokens: null,
    temperature: null,
    stream: null,
    stop: null,
    seed: null,
    tools: null,
  }),
  {
    id: 'max_tokens.one',
    of: 'contract',
    says: 'max_tokens 1 gives at most one token',
    check: async (target) => {
      const reply = mustSucceed(await target.chat({ max_tokens: 1 }))
      const tokens = Number(at(reply, 'usage', 'completion_tokens'))
      must(tokens <= 1, `${tokens} tokens`)
    },
  },
  {
    id: 'max_tokens.default',
    of: 'contract',
    says: 'without max_tokens, a reply is cut after 256 tokens',
    check: async (target) => {
      const messages = [
        { role: 'user', content: 'Write a very long story about the sea, as long as you can.' },
      ]
      const reply = mustSucceed(
        await target.chat({ messages, max_tokens: undefined, temperature: 1 }),
      )
      const tokens = Number(at(reply, 'usage', 'completion_tokens'))
      const isCut = at(reply, 'choices', 0, 'finish_reason') === 'length'
      must(isCut ? tokens === 256 : tokens <= 256, `${tokens} tokens`)
    },
  },
  refusedRaw('body.json', 'a body that is not JSON is refused', { body: '{"model":' }, badRequest),
  refusedRaw('body.object', 'a body that is not an object is refused', { body: '[]' }, badRequest),
  refusedRaw(
    'body.media_type',
    'a media type other than JSON is refused',
    { body: 'model=x', headers: { 'content-type': 'text/plain' } },
    [415, 400],
  ),
  {
    id: 'body.charset',
    of: 'field',
    says: 'content-type may include a charset',
    check: async (target) => {
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      textOf(mustSucceed(await target.chat({ messages: user }, { headers })))
    },
  },
  refusedRaw(
    'key.missing',
    'a request without a key is refused with 401',
    { key: null, body: {} },
    401,
  ),
  refusedRaw(
    'key.wrong',
    'an invalid key is refused with 401',
    { key: 'wrong-key-1234567890', body: {} },
    401,
  ),
  refusedRaw('key.first', 'the key is checked before the body', { key: null, body: '{' }, 401),
  {
    id: 'key.challenge',
    of: 'field',
    says: 'a 401 has WWW-Authenticate: Bearer',
    check: async (target) => {
      const { headers } = await target.ask({ key: null, body: {} })
      const challenge = headers.get('www-authenticate')
      must(/^Bearer\b/i.test(challenge ?? ''), show(challenge))
    },
  },
  {
    id: 'key.elsewhere',
    of: 'pipit',
    says: 'the key in x-api-key is not accepted',
    check: async (target) => {
      // A service that accepts the key refuses the empty body, but not with 401.
      const headers = { 'x-api-key': target.key }
      mustRefuse(await target.ask({ headers, key: null, body: {} }), { status: 401 })
    },
  },
  {
    id: 'error.secret',
    of: 'pipit',
    says: 'an error contains neither the key nor the prompt',
    check: async (target) => {
      const key = 'sk-check-canary-5f1d'
      const wrongKey = await target.chat({}, { key })
      mustRefuse(wrongKey, { status: 401 })
      must(!wrongKey.text.includes('canary'), 'the error contains the key')
      const messages = [{ role: 'user', content: 'canary-prompt-77' }]
      const wrongRange = await target.chat({ messages, temperature: 9 })
      mustRefuse(wrongRange, { status: badRequest })
      must(!wrongRange.text.includes('canary-prompt'), 'the error contains the prompt')
    },
  },
  {
    id: 'context.full',
    of: 'pipit',
    says: 'a prompt that does not fit is refused with context_length_exceeded, not truncated',
    check: async (target) => {
      const messages = [{ role: 'user', content: 'pipit '.repeat(150_000) }]
      mustRefuse(await target.chat({ messages }), { status: 400, code: 'context_length_exceeded' })
    },
  },
]

function refused(id: string, says: string, fields: Record<string, unknown>): Rule {
  const check = async (target: Target) =>
    mustRefuse(await target.chat(fields), { status: badRequest })
  return { id, of: 'field', says, check }
}

function refusedRaw(id: string, says: string, ask: Ask, status: Refusal['status']): Rule {
  return {
    id,
    of: 'field',
    says,
    check: async (target) => mustRefuse(await target.ask(ask), { status }),
  }
}

function accepted(id: string, of: Rule['of'], says: string, fields: Record<string, unknown>): Rule {
  const check = async (target: Target) => void textOf(mustSucceed(await target.chat(fields)))
  return { id, of, says, check }
}
