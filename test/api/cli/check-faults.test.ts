import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { completionRules } from '../../../src/cli/check/completion-rules.ts'
import { parameterRules } from '../../../src/cli/check/parameter-rules.ts'
import { requestRules } from '../../../src/cli/check/request-rules.ts'
import { streamRules } from '../../../src/cli/check/stream-rules.ts'
import { Target } from '../../../src/cli/check/target.ts'
import { toolRules } from '../../../src/cli/check/tool-rules.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

/** A fault of a gateway in front of the service. */
type Fault = {
  credential?: (headers: IncomingHttpHeaders) => string
  body?: (body: object) => object
  reply?: (text: string) => string
}
type Chat = { messages: { tool_calls?: object[] }[]; response_format?: object }
type Entry = { token: string; bytes: number[] | null }
type Completion = { choices: [{ logprobs: { content: Entry[] } }] }

const rules = [...completionRules, ...parameterRules, ...requestRules, ...streamRules, ...toolRules]
let fault: Fault = {}
let service: TestService
const gateway = createServer((request, response) => void forward(request, response))

beforeAll(async () => {
  const words = Array.from({ length: 300 }, (_, index) => `word${index}`)
  service = await startTestService({ engine: scriptedEngine({ reply: () => words.join(' ') }) })
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
})
afterAll(async () => {
  gateway.close()
  gateway.closeAllConnections()
  await service.close()
})

async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { credential, body, reply } = fault
  const { headers } = request
  const asked = (await json(request)) as object
  const answer = await service.post(body?.(asked) ?? asked, {
    key: null,
    headers: { authorization: credential?.(headers) ?? headers.authorization ?? '' },
  })
  const text = await answer.text()
  response.writeHead(answer.status).end(reply?.(text) ?? text)
}

/** Checks a rule on the gateway. Returns `ok`, or what the rule saw. */
async function check(id: string, broken: Fault = {}): Promise<string | undefined> {
  fault = broken
  const base = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  const target = new Target({ base, key: service.key, model: question.model, timeoutMs: 10_000 })
  return rules
    .find((rule) => rule.id === id)
    ?.check(target)
    .then(
      () => 'ok',
      (error: Error) => error.message,
    )
}

function withOneCall(body: object): object {
  const messages = (body as Chat).messages.map(({ tool_calls: calls, ...rest }) => ({
    ...rest,
    ...(calls && { tool_calls: calls.slice(0, 1) }),
  }))
  return { ...body, messages }
}

/** Leaves out the format. The reply ends by itself, because a reply that is cut breaks no rule. */
function withoutFormat(body: object): object {
  const { response_format: _, ...rest } = body as Chat
  return { ...rest, stop: 'word3' }
}

/** Replaces a reply by a call. */
function withCall(name: string, args: string): Fault {
  const message = { role: 'assistant', tool_calls: [{ function: { name, arguments: args } }] }
  return { reply: () => JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] }) }
}

/** Changes the log-probabilities of a reply. */
function withEntries(change: (entries: Entry[]) => Entry[]): Fault {
  const reply = (text: string) => {
    const completion = JSON.parse(text) as Completion
    const { logprobs } = completion.choices[0]
    logprobs.content = change(logprobs.content)
    return JSON.stringify(completion)
  }
  return { reply }
}

test.each<[id: string, does: string, broken: Fault, saw: RegExp]>([
  [
    'key.elsewhere',
    'accepts the key in x-api-key',
    { credential: (headers) => headers.authorization ?? `Bearer ${String(headers['x-api-key'])}` },
    /^status 400, /,
  ],
  [
    'max_tokens.default',
    'has a lower default',
    { body: (body) => ({ max_tokens: 16, ...body }) },
    /^16 tokens$/,
  ],
  [
    'completion.finish_reason',
    'says stop of a reply that was cut',
    { reply: (text) => text.replace('"finish_reason":"length"', '"finish_reason":"stop"') },
    /^"stop" with max_tokens 1: "word0 ?"$/,
  ],
  [
    'stream.same',
    'changes the last chunk',
    { reply: (text) => text.replace(/(.*"object":")[^"]+/s, '$1chat.completion') },
    /^object "chat\.completion\.chunk", then "chat\.completion"$/,
  ],
  [
    'tools.results',
    'keeps only the first of several calls',
    { body: withOneCall },
    /^status 400, /,
  ],
  [
    'tools.results',
    'sends neither a text nor a call',
    { reply: (text) => text.replace(/"content":"[^"]*"/, '"content":null') },
    /^\{"role":"assistant","content":null,/,
  ],
  ['tools.format', 'drops the format', { body: withoutFormat }, /^not JSON: "word0 /],
  [
    'tools.format',
    'drops the format after a result',
    { body: (body) => ((body as Chat).messages.length > 1 ? withoutFormat(body) : body) },
    /^not JSON: "word0 /,
  ],
  [
    'tools.format',
    'calls another tool',
    withCall('save_bird', '{"name":"Ada","age":36}'),
    /^\{"function":\{"name":"save_bird"/,
  ],
  [
    'tools.format',
    'calls the tool with arguments that do not fit',
    withCall('save_person', '{"name":"Ada","age":-1}'),
    /^\{"name":"Ada","age":-1\}$/,
  ],
])('the rule %s fails where a gateway %s', async (id, _does, broken, saw) => {
  expect(await check(id)).toBe('ok')
  expect(await check(id, broken)).toMatch(saw)
})

test('the rule logprobs fails where tokens have no entry', async () => {
  // The scripted engine has one alternative of each token.
  const whole = (entries: Entry[]) =>
    entries.map((entry) => ({ ...entry, top_logprobs: [entry, entry] }))
  const first = (entries: Entry[]) => whole(entries).slice(0, 1)
  expect(await check('logprobs', withEntries(whole))).toBe('ok')
  expect(await check('logprobs', withEntries(first))).toBe('1 entries for 4 tokens')
})

test('the rule logit_bias compares tokens without bytes by their text', async () => {
  const without = (entries: Entry[]) => entries.map((entry) => ({ ...entry, bytes: null }))
  const same = (entries: Entry[]) => without(entries).map((entry) => ({ ...entry, token: 'a' }))
  expect(await check('logit_bias', withEntries(same))).toBe('ok')
  expect(await check('logit_bias', withEntries(without))).toMatch(/^\[\{"token":"word0/)
})
