import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UpstreamSettings } from '../../../src/engine/upstream/upstream-settings.ts'
import {
  chunk,
  finish,
  open,
  type Script,
  type ScriptedUpstream,
  send,
  startUpstream,
} from '../../support/upstream/scripted-upstream.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { question } from '../../support/service.ts'

type Flavour = UpstreamSettings['flavour']
type Service = Awaited<ReturnType<typeof startFrontedService>>
const flavours = ['vllm', 'sglang', 'llama-server', 'openai'] as const satisfies readonly Flavour[]

let upstream: ScriptedUpstream
const services = new Map<Flavour, Service>()
beforeAll(async () => {
  upstream = await startUpstream()
  for (const flavour of flavours)
    services.set(flavour, await startFrontedService({ urls: [upstream.url], flavour }))
  for (const service of services.values()) await service.isReady()
})
afterAll(async () => {
  for (const service of services.values()) await service.close()
  await upstream.close()
})

const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name } }))
const onlyTime = { type: 'function', function: { name: 'time' } }

/** Asks for a reply with the tools above. The upstream calls tools of these names. */
async function ask(flavour: Flavour, body: object, called: readonly string[]) {
  return await askFor(flavour, body, (response) => {
    for (const [index, name] of called.entries())
      send(response, chunk({ tool_calls: [{ index, function: { name, arguments: '{}' } }] }))
  })
}

/** Asks for a reply with the tools above. The upstream writes its calls with `sendCalls`. */
async function askFor(
  flavour: Flavour,
  body: object,
  sendCalls: (response: Parameters<Script>[0]) => void | Promise<void>,
  usage?: object,
) {
  upstream.script = async (response) => {
    open(response)
    await sendCalls(response)
    send(response, chunk({}, 'tool_calls'))
    if (usage !== undefined) send(response, { choices: [], usage })
    finish(response)
  }
  const service = services.get(flavour)
  if (service === undefined) throw new Error('no service')
  const response = await service.post({ ...question, tools, ...body })
  type Choice = { finish_reason: string; message: { tool_calls: [] } }
  const { choices: [choice] = [] } = (await response.json()) as { choices?: Choice[] }
  return {
    status: response.status,
    calls: choice?.message.tool_calls,
    reason: choice?.finish_reason,
  }
}

test.for(flavours)(
  '%s is told to call the named tool, in the form that it reads',
  async (flavour) => {
    const { status, calls } = await ask(flavour, { tool_choice: onlyTime }, ['time'])
    expect([status, calls]).toMatchObject([200, [{ function: { name: 'time' } }]])
    const body = upstream.asked.at(-1)?.body
    const sent = (body?.['tools'] as typeof tools | undefined)?.map((tool) => tool.function.name)
    // llama-server reads an object as `auto`, so it gets no tool that it must not call.
    expect([sent, body?.['tool_choice']]).toEqual(
      flavour === 'llama-server' ? [['time'], 'required'] : [['weather', 'time'], onlyTime],
    )
  },
)

test.for(flavours)(
  '%s that calls another tool than the named one fails the request',
  async (flavour) => {
    expect((await ask(flavour, { tool_choice: onlyTime }, ['weather'])).status).toBe(500)
  },
)

test.for(flavours)(
  '%s that calls two tools without parallel calls fails the request',
  async (flavour) => {
    const called = ['weather', 'time']
    expect(await ask(flavour, {}, called)).toMatchObject({ status: 200, calls: [{}, {}] })
    expect((await ask(flavour, { parallel_tool_calls: false }, called)).status).toBe(500)
  },
)

type Part = { id?: string; name?: string; arguments: string }
const parts: Record<string, [chunks: Part[][], calls: [name: string, text: string][]]> = {
  'with an id each': [
    [
      [{ id: 'a', name: 'weather', arguments: '{"city":"Oslo"}' }],
      [{ id: 'b', name: 'weather', arguments: '{"city":"Bergen"}' }],
    ],
    [
      ['weather', '{"city":"Oslo"}'],
      ['weather', '{"city":"Bergen"}'],
    ],
  ],
  'in one chunk and without ids': [
    [
      [
        { name: 'weather', arguments: '{"city":"Oslo"}' },
        { name: 'weather', arguments: '' },
      ],
    ],
    [
      ['weather', '{"city":"Oslo"}'],
      ['weather', '{}'],
    ],
  ],
  'with an id each and without arguments': [
    [[{ id: 'a', name: 'time', arguments: '' }], [{ id: 'b', name: 'time', arguments: '' }]],
    [
      ['time', '{}'],
      ['time', '{}'],
    ],
  ],
  'of two tools, in pieces': [
    [
      [{ name: 'time', arguments: '' }],
      [{ name: 'weather', arguments: '{"city":' }],
      [{ arguments: '"Oslo"}' }],
    ],
    [
      ['time', '{}'],
      ['weather', '{"city":"Oslo"}'],
    ],
  ],
}

// Ollama's tool parser does that: ollama/ollama#15457.
test.for(Object.entries(parts))(
  'parallel calls that all have index 0 are several calls: %s',
  async ([, [chunks, expected]]) => {
    const { status, calls } = await askForParts(chunks)
    expect(status).toBe(200)
    expect(calls).toMatchObject(
      expected.map(([name, text]) => ({ function: { name, arguments: text } })),
    )
  },
)

test('a call whose name comes with each piece is one call', async () => {
  const pieces = ['{"city":', '"Oslo"}', ''].map((text) => [
    { id: 'a', name: 'weather', arguments: text },
  ])
  const { calls } = await askForParts(pieces)
  expect(calls).toMatchObject([{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }])
  expect(calls).toHaveLength(1)
})

/** Asks for a reply whose calls come in these chunks, all with index 0. */
async function askForParts(chunks: readonly Part[][]) {
  return await askFor('vllm', {}, (response) => {
    for (const each of chunks) {
      const calls = each.map(({ id, ...called }) => ({ index: 0, id, function: called }))
      send(response, chunk({ tool_calls: calls }))
    }
  })
}

const begun = (text: string) =>
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'weather', arguments: text } }] })

// vLLM streams that finish reason for each reply with a call: vllm-project/vllm#53269.
test.for(['{"city": "Pa', ''])(
  'a call that max_tokens has cut, with the finish reason tool_calls, has the reason length: %j',
  async (text) => {
    const usage = { prompt_tokens: 11, completion_tokens: 9 }
    const cut = (max_tokens: number) =>
      askFor('vllm', { max_tokens }, (response) => send(response, begun(text)), usage)
    expect(await cut(9)).toMatchObject({ status: 200, reason: 'length' })
    const whole = { status: 200, reason: 'tool_calls', calls: [{ function: { arguments: '{}' } }] }
    expect(await cut(10)).toMatchObject(text === '' ? whole : { status: 500 })
  },
)

test('an upstream may hold back the arguments of a call for longer than other parts', async () => {
  const { status, calls } = await askFor('vllm', {}, async (response) => {
    send(response, begun(''))
    await setTimeout(900)
    const rest = { index: 0, function: { arguments: '{"city": "Oslo"}' } }
    send(response, chunk({ tool_calls: [rest] }))
  })
  expect([status, calls]).toMatchObject([200, [{ function: { arguments: '{"city": "Oslo"}' } }]])
})

test('arguments are awaited only while the upstream passes its probes', async () => {
  const hanging = await startUpstream()
  const service = await startFrontedService({ urls: [hanging.url] }, { callIdleMs: 60_000 })
  try {
    hanging.script = (response) => {
      open(response)
      send(response, begun(''))
      hanging.probe = () => {}
    }
    expect((await service.post({ ...question, tools })).status).toBe(500)
  } finally {
    await service.close()
    await hanging.close()
  }
})
