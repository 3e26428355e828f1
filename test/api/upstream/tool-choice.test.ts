import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UpstreamSettings } from '../../../src/engine/upstream/upstream-settings.ts'
import {
  chunk,
  finish,
  open,
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
})
afterAll(async () => {
  for (const service of services.values()) await service.close()
  await upstream.close()
})

const tools = ['weather', 'time'].map((name) => ({ type: 'function', function: { name } }))
const onlyTime = { type: 'function', function: { name: 'time' } }

/** Asks for a reply with the tools above. The upstream calls tools of these names. */
async function ask(flavour: Flavour, body: object, called: readonly string[]) {
  upstream.script = (response) => {
    open(response)
    for (const [index, name] of called.entries())
      send(response, chunk({ tool_calls: [{ index, function: { name, arguments: '{}' } }] }))
    send(response, chunk({}, 'tool_calls'))
    finish(response)
  }
  const service = services.get(flavour)
  if (service === undefined) throw new Error('no service')
  const response = await service.post({ ...question, tools, ...body })
  const { choices } = (await response.json()) as { choices?: { message: { tool_calls: [] } }[] }
  return { status: response.status, calls: choices?.[0]?.message.tool_calls }
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
