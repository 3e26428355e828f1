import { at, must, mustSucceed, NotApplicable, type Rule, show, textOf } from './rule.ts'
import { readStream } from './stream.ts'
import type { Target } from './target.ts'

const sum = {
  messages: [{ role: 'user', content: 'What is 17 plus 25? Think first.' }],
  max_tokens: 512,
}

/** Common marks around a thought, which must not appear in the answer. */
const marks = /<\/?think(?:ing)?>|\[\/?THINK\]|<\|(?:channel|message|start)\|>|<\/?seed:think>/i

/** Rules on models that think before they answer. */
export const reasoningRules: Rule[] = [
  {
    id: 'reasoning.apart',
    of: 'field',
    says: 'a thought is in message.reasoning_content, and the content has no reasoning tags',
    check: async (target) => {
      const reply = mustSucceed(await target.keptChat(sum))
      const content = textOf(reply)
      must(!marks.test(content), `content ${show(content)}`)
      const thought = requireThought(reply)
      must(!marks.test(thought), `reasoning_content ${show(thought)}`)
    },
  },
  {
    id: 'reasoning.tokens',
    of: 'field',
    says: 'usage.completion_tokens_details.reasoning_tokens counts a part of the completion tokens',
    check: async (target) => {
      const reply = mustSucceed(await target.keptChat(sum))
      requireThought(reply)
      const all = Number(at(reply, 'usage', 'completion_tokens'))
      const found = at(reply, 'usage', 'completion_tokens_details', 'reasoning_tokens')
      const counts = typeof found === 'number' && Number.isInteger(found) && found > 0
      must(counts && found <= all, `${show(found)} of ${all} tokens`)
    },
  },
  {
    id: 'reasoning.stream',
    of: 'field',
    says: 'a stream has the thought in delta.reasoning_content, before the content',
    check: async (target) => {
      const thought = requireThought(mustSucceed(await target.keptChat(sum)))
      const { chunks, text } = readStream(await target.chat({ ...sum, stream: true }))
      must(!marks.test(text), `content ${show(text)}`)
      const kinds = ['reasoning_content', 'content'].map((name) =>
        chunks.map((chunk) => {
          const piece = at(chunk, 'choices', 0, 'delta', name)
          return typeof piece === 'string' ? piece : ''
        }),
      )
      const [thoughts = [], contents = []] = kinds
      must(thoughts.join('') === thought, `${show(thoughts.join(''))}, and not ${show(thought)}`)
      const first = contents.findIndex((piece) => piece !== '')
      const last = thoughts.findLastIndex((piece) => piece !== '')
      must(first === -1 || last < first, 'a thought after the content')
    },
  },
  {
    id: 'reasoning.back',
    of: 'field',
    says: 'a message with its reasoning_content is accepted as history',
    check: async (target) => {
      const reply = mustSucceed(await target.keptChat(sum))
      const reasoning_content = requireThought(reply)
      const answer = { role: 'assistant', content: textOf(reply), reasoning_content }
      const messages = [...sum.messages, answer, { role: 'user', content: 'Sure?' }]
      mustSucceed(await target.chat({ messages, max_tokens: 8 }))
    },
  },
  effective('reasoning_effort', 'low'),
  effective('enable_thinking', true),
]

/** Returns the thought of a reply. @throws NotApplicable if there is none */
function requireThought(reply: unknown): string {
  const thought = at(reply, 'choices', 0, 'message', 'reasoning_content')
  if (thought === undefined || thought === null || thought === '')
    throw new NotApplicable('no reasoning_content: the model does not think')
  must(typeof thought === 'string', `reasoning_content ${show(thought)}`)
  return thought
}

function effective(name: string, value: string | boolean): Rule {
  const check = async (target: Target) => {
    const reply = await target.chat({ ...sum, max_tokens: 64, [name]: value })
    if (reply.status === 400 || reply.status === 422)
      must(reply.text.includes(name), `the name is missing in ${show(reply.text)}`)
    else requireThought(mustSucceed(reply))
  }
  return { id: name, of: 'pipit', says: `${name} has an effect or is refused by name`, check }
}
