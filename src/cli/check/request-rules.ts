import { at, must, mustRefuse, mustSucceed, type Refusal, type Rule, show, textOf } from './rule.ts'
import type { Ask, Target } from './target.ts'

const user = [{ role: 'user', content: 'Hi' }]
/** The interface requires a 4xx status without naming one. */
const badRequest = [400, 422] as const

/** Rules on valid and invalid requests. */
export const requestRules: Rule[] = [
  refused('model.missing', 'contract', 'a request without a model is refused', {
    model: undefined,
  }),
  refused('model.other', 'contract', 'an unknown model is refused', { model: 'gpt-unknown' }, 404),
  refused('messages.missing', 'contract', 'a request without messages is refused', {
    messages: undefined,
  }),
  refused('messages.empty', 'field', 'an empty list of messages is refused', { messages: [] }),
  refused('messages.type', 'contract', 'messages that are not a list are refused', {
    messages: 'Hi',
  }),
  refused('messages.role', 'contract', 'an unknown role is refused', {
    messages: [{ role: 'robot', content: 'Hi' }],
  }),
  refused('messages.no_role', 'contract', 'a message without a role is refused', {
    messages: [{ content: 'Hi' }],
  }),
  refused('messages.no_content', 'contract', 'a message without content is refused', {
    messages: [{ role: 'user' }],
  }),
  refused('messages.content_type', 'contract', 'content that is a number is refused', {
    messages: [{ role: 'user', content: 5 }],
  }),
  refused('messages.part', 'field', 'a content part that is not text is refused', {
    messages: [
      {
        role: 'user',
        content: [{ type: 'input_audio', input_audio: { data: '', format: 'wav' } }],
      },
    ],
  }),
  accepted('max_tokens.most', 'contract', 'max_tokens 2048 is accepted', {
    max_tokens: 2048,
    stop: [' ', '.', ',', 'e'],
  }),
  refused('max_tokens.above', 'contract', 'max_tokens 2049 is refused', { max_tokens: 2049 }),
  refused('max_tokens.zero', 'contract', 'max_tokens 0 is refused', { max_tokens: 0 }),
  refused('max_tokens.fraction', 'contract', 'max_tokens 1.5 is refused', { max_tokens: 1.5 }),
  refused('max_tokens.text', 'contract', 'max_tokens "5" is refused', { max_tokens: '5' }),
  accepted('temperature.one', 'contract', 'temperature 1 is accepted', { temperature: 1 }),
  refused('temperature.above', 'contract', 'temperature 1.01 is refused', { temperature: 1.01 }),
  refused('temperature.below', 'contract', 'temperature -0.01 is refused', { temperature: -0.01 }),
  refused('temperature.text', 'contract', 'temperature "hot" is refused', { temperature: 'hot' }),
  refused('stream.text', 'contract', 'stream "yes" is refused', { stream: 'yes' }),
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
    id: 'max_tokens.default',
    of: 'contract',
    says: 'without max_tokens, at most 256 tokens are generated',
    check: async (target) => {
      const messages = [
        { role: 'user', content: 'Write a very long story about the sea, as long as you can.' },
      ]
      const reply = mustSucceed(
        await target.chat({ messages, max_tokens: undefined, temperature: 1 }),
      )
      const tokens = Number(at(reply, 'usage', 'completion_tokens'))
      must(tokens <= 256, `${tokens} tokens`)
    },
  },
  refusedRaw(
    'body.json',
    'field',
    'a body that is not JSON is refused',
    { body: '{"model":' },
    badRequest,
  ),
  refusedRaw(
    'body.object',
    'field',
    'a body that is not an object is refused',
    { body: '[]' },
    badRequest,
  ),
  refusedRaw(
    'body.media_type',
    'field',
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
    'contract',
    'a request without a key is refused with 401',
    { key: null, body: {} },
    401,
  ),
  refusedRaw(
    'key.wrong',
    'contract',
    'an invalid key is refused with 401',
    { key: 'wrong-key-1234567890', body: {} },
    401,
  ),
  refusedRaw(
    'key.first',
    'field',
    'the key is checked before the body',
    { key: null, body: '{' },
    401,
  ),
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
    says: 'a key in x-api-key or in the URL is not accepted',
    check: async (target) => {
      for (const ask of [
        { headers: { 'x-api-key': 'anything-at-all' }, path: '/v1/chat/completions' },
        { path: '/v1/chat/completions?api_key=anything-at-all' },
      ])
        mustRefuse(await target.ask({ ...ask, key: null, body: {} }), { status: 401 })
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

type Of = Rule['of']

function refused(
  id: string,
  of: Of,
  says: string,
  fields: Record<string, unknown>,
  status: Refusal['status'] = badRequest,
): Rule {
  const check = async (target: Target) =>
    mustRefuse(await target.chat(fields), { status: [status, badRequest].flat() })
  return { id, of, says, check }
}

function refusedRaw(id: string, of: Of, says: string, ask: Ask, status: Refusal['status']): Rule {
  return { id, of, says, check: async (target) => mustRefuse(await target.ask(ask), { status }) }
}

function accepted(id: string, of: Of, says: string, fields: Record<string, unknown>): Rule {
  const check = async (target: Target) => void textOf(mustSucceed(await target.chat(fields)))
  return { id, of, says, check }
}
