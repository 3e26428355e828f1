import { at, must, mustRefuse, mustSucceed, type Rule, show, textOf } from './rule.ts'
import { readStream, type Stream } from './stream.ts'
import type { Reply, Target } from './target.ts'

const streamed = async (target: Target): Promise<Stream> =>
  readStream(await target.keptChat({ stream: true }))
const choiceOf = (chunk: unknown) => at(chunk, 'choices', 0)

export const streamRules: Rule[] = [
  {
    id: 'stream.type',
    of: 'contract',
    says: '"stream": true with Accept: text/event-stream gives text/event-stream',
    check: async (target) => mustBeStream(await target.keptChat({ stream: true })),
  },
  {
    id: 'stream.accept',
    of: 'field',
    says: '"stream": true gives a stream, regardless of the Accept header',
    check: async (target) => {
      for (const accept of ['*/*', 'application/json'])
        mustBeStream(await target.chat({ stream: true }, { headers: { accept } }))
    },
  },
  {
    id: 'stream.lines',
    of: 'field',
    says: 'payload lines begin with "data: "; all other lines are empty or comments',
    check: async (target) => {
      const { lines } = await streamed(target)
      const other = lines.find(
        (line) => line !== '' && !line.startsWith('data: ') && !line.startsWith(':'),
      )
      must(other === undefined, show(other))
    },
  },
  {
    id: 'stream.chunks',
    of: 'contract',
    says: 'every payload is a JSON object with a list of choices, or [DONE]',
    check: async (target) => {
      const { chunks } = await streamed(target)
      must(chunks.length > 0, 'no chunk')
      const odd = chunks.find((chunk) => !Array.isArray(at(chunk, 'choices')))
      must(odd === undefined, show(odd))
    },
  },
  {
    id: 'stream.done',
    of: 'contract',
    says: '"data: [DONE]" appears once and is the last line of the stream',
    check: async (target) => {
      const lines = (await streamed(target)).lines.filter((line) => line !== '')
      must(lines.at(-1) === 'data: [DONE]', `the last line is ${show(lines.at(-1))}`)
      must(
        lines.filter((line) => line === 'data: [DONE]').length === 1,
        'it appears more than once',
      )
    },
  },
  {
    id: 'stream.text',
    of: 'contract',
    says: 'the joined deltas are a text',
    check: async (target) => must((await streamed(target)).text !== '', 'the text is empty'),
  },
  {
    id: 'stream.same_text',
    of: 'field',
    says: 'the joined deltas are the text of the same request without streaming (temperature 0)',
    check: async (target) => {
      const whole = textOf(mustSucceed(await target.keptChat()))
      const { text } = await streamed(target)
      must(text === whole, `${show(text)}, not ${show(whole)}`)
    },
  },
  {
    id: 'stream.role',
    of: 'field',
    says: 'the first delta names the role',
    check: async (target) => {
      const delta = at(choiceOf((await streamed(target)).chunks[0]), 'delta')
      must(at(delta, 'role') === 'assistant', show(delta))
    },
  },
  {
    id: 'stream.finish',
    of: 'field',
    says: 'exactly one chunk has a finish_reason, and no text follows it',
    check: async (target) => {
      const { chunks } = await streamed(target)
      const ends = chunks.filter((chunk) => at(choiceOf(chunk), 'finish_reason') != null)
      must(ends.length === 1, `${ends.length} of them`)
      const after = chunks.slice(chunks.indexOf(ends[0]) + 1)
      must(
        after.every((chunk) => !at(choiceOf(chunk), 'delta', 'content')),
        'text after it',
      )
    },
  },
  {
    id: 'stream.same',
    of: 'field',
    says: 'id, created, model and object are the same in all chunks',
    check: async (target) => {
      const { chunks } = await streamed(target)
      for (const name of ['id', 'created', 'model', 'object']) {
        const values = chunks.map((chunk) => at(chunk, name))
        const first = JSON.stringify(values[0])
        const other = values.findIndex((value) => JSON.stringify(value) !== first)
        must(other === -1, `${name} ${show(values[0])}, then ${show(values[other])}`)
      }
      const object = at(chunks[0], 'object')
      must(object === 'chat.completion.chunk', show(object))
    },
  },
  {
    id: 'stream.usage',
    of: 'field',
    says: 'stream_options.include_usage adds one last chunk with usage and no choices; without it there is no usage',
    check: async (target) => {
      const plain = (await streamed(target)).chunks
      must(
        plain.every((chunk) => at(chunk, 'usage') == null),
        'usage without include_usage',
      )
      const asked = { stream: true, stream_options: { include_usage: true } }
      const { chunks } = readStream(await target.chat(asked))
      const last = chunks.at(-1)
      must(at(last, 'choices', 'length') === 0, `the last chunk is ${show(last)}`)
      const whole = mustSucceed(await target.keptChat())
      const counts = [last, whole].map((one) => show(at(one, 'usage', 'total_tokens')))
      must(counts[0] === counts[1], `total_tokens ${counts[0]}, without streaming ${counts[1]}`)
    },
  },
  {
    id: 'stream.refusal',
    of: 'field',
    says: 'a wrong request gets a 4xx status, also with "stream": true',
    check: async (target) => {
      const reply = await target.chat({ stream: true, temperature: 7 })
      mustRefuse(reply, { status: [400, 422] })
    },
  },
  {
    id: 'stream.left',
    of: 'field',
    says: 'the service stays responsive after callers disconnect from streams',
    check: async (target) => {
      for (let i = 0; i < 8; i += 1) await target.leaveStream()
      textOf(mustSucceed(await target.chat()))
    },
  },
]

function mustBeStream({ headers, status }: Reply): void {
  const type = headers.get('content-type')
  must(/^text\/event-stream\b/.test(type ?? ''), `status ${status}, content-type ${show(type)}`)
}
