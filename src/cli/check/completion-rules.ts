import { at, must, mustSucceed, type Rule, show, textOf } from './rule.ts'
import type { Target } from './target.ts'

const completion = async (target: Target) => mustSucceed(await target.keptChat())
const history = [
  { role: 'system', content: 'You are a helpful assistant.' },
  { role: 'user', content: 'My name is Ada.' },
  { role: 'assistant', content: 'Hello, Ada!' },
  { role: 'user', content: 'What is my name?' },
]
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0

/** Rules on replies that are not streamed. */
export const completionRules: Rule[] = [
  {
    id: 'completion.json',
    of: 'contract',
    says: 'POST /v1/chat/completions returns 2xx with a JSON object',
    check: async (target) => {
      const reply = await target.keptChat()
      mustSucceed(reply)
      const type = reply.headers.get('content-type')
      must(/^application\/json\b/.test(type ?? ''), `content-type ${show(type)}`)
    },
  },
  {
    id: 'completion.id',
    of: 'contract',
    says: 'id is a fixed prefix with a generated suffix, different for each completion',
    check: async (target) => {
      const ids = [await completion(target), mustSucceed(await target.chat())].map((one) =>
        at(one, 'id'),
      )
      const [one, two] = ids.map((id) => (typeof id === 'string' ? id : ''))
      must(one !== '' && one?.[0] === two?.[0], show(ids))
      must(one !== two, `the id ${show(one)} is used twice`)
    },
  },
  constant('object', 'chat.completion'),
  {
    id: 'completion.created',
    of: 'contract',
    says: 'created is the time in whole Unix seconds',
    check: async (target) => {
      const created = at(await completion(target), 'created')
      const apart = Math.abs(Date.now() / 1000 - Number(created))
      must(isCount(created) && apart < 86_400, show(created))
    },
  },
  {
    id: 'completion.model',
    of: 'contract',
    says: 'model is the requested model',
    check: async (target) => {
      const model = at(await completion(target), 'model')
      must(model === target.model, show(model))
    },
  },
  {
    id: 'completion.choices',
    of: 'contract',
    says: 'choices[0] has index 0 and an assistant message with text',
    check: async (target) => {
      const found = await completion(target)
      const choice = at(found, 'choices', 0)
      must(at(choice, 'index') === 0, `index ${show(at(choice, 'index'))}`)
      must(at(choice, 'message', 'role') === 'assistant', show(at(choice, 'message')))
      must(textOf(found) !== '', 'the text is empty')
    },
  },
  {
    id: 'completion.finish_reason',
    of: 'field',
    says: 'finish_reason is stop, or length if max_tokens cut the reply',
    check: async (target) => {
      const replies = [
        await completion(target),
        mustSucceed(await target.chat({ max_tokens: 1 })),
      ].map((one) => at(one, 'choices', 0))
      const reasons = replies.map((one) => at(one, 'finish_reason'))
      must(
        reasons.every((reason) => ['stop', 'length'].includes(String(reason))),
        show(reasons),
      )
      // A model that thinks may have no content yet.
      const [whole = '', cut = ''] = replies.map((one) => {
        const content = at(one, 'message', 'content')
        return typeof content === 'string' ? content : ''
      })
      const isCut = cut !== whole && whole.startsWith(cut)
      must(!isCut || reasons[1] === 'length', `${show(reasons[1])} with max_tokens 1: ${show(cut)}`)
    },
  },
  {
    id: 'completion.usage',
    of: 'contract',
    says: 'usage has prompt_tokens, completion_tokens and total_tokens',
    check: async (target) => {
      const usage = at(await completion(target), 'usage')
      const names = ['prompt_tokens', 'completion_tokens', 'total_tokens']
      must(
        names.every((name) => isCount(at(usage, name))),
        show(usage),
      )
    },
  },
  {
    id: 'completion.total',
    of: 'field',
    says: 'total_tokens is the sum of prompt_tokens and completion_tokens, and the prompt has tokens',
    check: async (target) => {
      const usage = at(await completion(target), 'usage')
      const prompt = Number(at(usage, 'prompt_tokens'))
      const sum = prompt + Number(at(usage, 'completion_tokens'))
      must(sum === at(usage, 'total_tokens') && prompt > 0, show(usage))
    },
  },
  {
    id: 'completion.alias',
    of: 'field',
    says: 'POST /v1/chat is the same operation',
    check: async (target) => {
      const other = mustSucceed(await target.chat({}, { path: '/v1/chat' }))
      must(textOf(other) === textOf(await completion(target)), 'the text differs at temperature 0')
    },
  },
  {
    id: 'completion.greedy',
    of: 'field',
    says: 'at temperature 0 the same request gives the same text',
    check: async (target) => {
      const texts = [textOf(await completion(target)), textOf(mustSucceed(await target.chat()))]
      must(texts[0] === texts[1], show(texts))
    },
  },
  {
    id: 'completion.fingerprint',
    of: 'field',
    says: 'system_fingerprint is present',
    check: async (target) => {
      const fingerprint = at(await completion(target), 'system_fingerprint')
      must(typeof fingerprint === 'string' && fingerprint !== '', show(fingerprint))
    },
  },
  {
    id: 'completion.request_id',
    of: 'field',
    says: 'every reply has an x-request-id, including errors',
    check: async (target) => {
      const replies = [await target.keptChat(), await target.chat({ messages: [] })]
      const ids = replies.map(({ headers }) => headers.get('x-request-id'))
      must(ids.every((id) => id !== null && id !== '') && ids[0] !== ids[1], show(ids))
    },
  },
  {
    id: 'messages.history',
    of: 'contract',
    says: 'system, user and assistant messages are accepted',
    check: async (target) => void textOf(mustSucceed(await target.keptChat({ messages: history }))),
  },
  {
    id: 'messages.counted',
    of: 'field',
    says: 'each message adds to prompt_tokens',
    check: async (target) => {
      const long = mustSucceed(await target.keptChat({ messages: history }))
      const short = await completion(target)
      const counts = [short, long].map((one) => Number(at(one, 'usage', 'prompt_tokens')))
      must((counts[1] ?? 0) > (counts[0] ?? 0), `prompt_tokens ${counts.join(' and ')}`)
    },
  },
  {
    id: 'messages.parts',
    of: 'field',
    says: 'content may be a list of text parts, which are concatenated',
    check: async (target) => {
      const parts = ['Hello! ', 'Who are you?'].map((text) => ({ type: 'text', text }))
      const messages = [{ role: 'user', content: parts }]
      const joined = mustSucceed(await target.chat({ messages }))
      must(
        textOf(joined) === textOf(await completion(target)),
        'the text differs from that of the string',
      )
    },
  },
]

function constant(name: string, value: string): Rule {
  return {
    id: `completion.${name}`,
    of: 'contract',
    says: `${name} is ${value}`,
    check: async (target) => {
      const found = at(await completion(target), name)
      must(found === value, show(found))
    },
  }
}
