import { expect, test } from 'vitest'
import {
  chunk,
  finish,
  json,
  open,
  say,
  type Script,
  type ScriptedUpstream,
  send,
  startUpstream,
  truth,
} from '../../support/upstream/scripted-upstream.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { noProbes } from '../../support/upstream/with-upstreams.ts'
import { question } from '../../support/service.ts'

type Service = Awaited<ReturnType<typeof startFrontedService>>

/** Starts a service in front of one upstream, and closes both after the test. */
async function withUpstream(
  run: (scene: { service: Service; upstream: ScriptedUpstream }) => Promise<void>,
  settings: Partial<Parameters<typeof startFrontedService>[0]> = {},
  timeouts: Parameters<typeof startFrontedService>[1] = {},
) {
  const upstream = await startUpstream()
  const service = await startFrontedService({ urls: [upstream.url], ...settings }, timeouts)
  try {
    await run({ service, upstream })
  } finally {
    await service.close()
    await upstream.close()
  }
}

/** Returns the ledger entry of a reply. */
function rowOf(service: Service, { headers }: { headers: Headers }) {
  const id = headers.get('x-request-id')
  return service.ledgerRows().find((row) => row['request_id'] === id)
}

test('three faults in a row eject a router, also if probes read its list of models in between', async () => {
  await withUpstream(
    async ({ service, upstream }) => {
      const stateNow = () => service.engine.upstreams()[0]
      const nextProbe = async () => {
        const last = stateNow()?.probedMs
        await expect.poll(() => stateNow()?.probedMs).not.toBe(last)
      }
      upstream.script = (response) => {
        open(response)
        finish(response)
      }
      for (let i = 0; i < 3; i += 1) {
        expect(stateNow()?.ejections).toBe(0)
        expect((await service.post(question)).status).toBe(500)
        // A probe begins after the one before has ended.
        await nextProbe()
        await nextProbe()
      }
      expect(stateNow()?.ejections).toBe(1)
    },
    { flavour: 'openai' },
  )
})

const noRoom = { 'a probe that gets 503': 503, 'a probe that gets 429': 429 }

test.for(Object.entries(noRoom))(
  'an engine without room stays up after %s, and one that is new stays out',
  async ([, status]) => {
    const loading = await startUpstream({ probe: (response) => json(response, {}, status) })
    const service = await startFrontedService({ urls: [loading.url] })
    try {
      await expect.poll(() => loading.probes).toBeGreaterThan(2)
      expect(service.engine.state).toBe('loading')
      loading.probe = (response) => json(response, { choices: [{}] })
      await service.isReady()
      const before = loading.probes
      loading.probe = (response) => json(response, {}, status)
      await expect.poll(() => loading.probes - before).toBeGreaterThan(4)
      expect(service.engine.upstreams()).toMatchObject([{ state: 'up' }])
      expect(service.engine.upstreams()[0]?.ejections).toBe(1)
    } finally {
      await service.close()
      await loading.close()
    }
  },
)

test('a router that is asked too often for its models stays up; one that has none is ejected', async () => {
  await withUpstream(
    async ({ service, upstream }) => {
      const stateNow = () => service.engine.upstreams()[0]
      const readsWith = async (status: number, least: number) => {
        const before = upstream.modelsRead
        upstream.models = (response) => json(response, {}, status)
        await expect.poll(() => upstream.modelsRead - before).toBeGreaterThan(least)
      }
      await readsWith(429, 4)
      expect(stateNow()).toMatchObject({ state: 'up', ejections: 0 })
      // A proxy whose engine is gone answers 503, too.
      await readsWith(503, 3)
      expect(stateNow()).toMatchObject({ state: 'ejected', ejections: 1 })
    },
    { flavour: 'openai' },
  )
})

test.for([502, 504])(
  'a proxy whose engine is gone, so that it answers a probe with %s, is ejected',
  async (status) => {
    await withUpstream(async ({ service, upstream }) => {
      upstream.probe = (response) => json(response, {}, status)
      await expect
        .poll(() => service.engine.upstreams())
        .toMatchObject([{ state: 'ejected', ejections: 1 }])
    })
  },
)

test('a reply that the upstream filters fails its request only, and costs nothing if no part was sent', async () => {
  const filter =
    (...pieces: string[]): Script =>
    (response) => {
      open(response)
      for (const content of pieces) send(response, chunk({ content }))
      send(response, chunk({}, 'content_filter'))
      send(response, { choices: [], usage: truth })
      finish(response)
    }
  await withUpstream(
    async ({ service, upstream }) => {
      upstream.script = filter()
      const refused = await service.post(question)
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({
        error: { code: 'unsupported_value', message: expect.stringContaining('filtered') },
      })
      expect(rowOf(service, refused)).toMatchObject({ outcome: 'refused', prompt_tokens: 0 })
      upstream.script = filter('Hello')
      const cut = await service.stream(question)
      expect(cut.done).toBe(false)
      expect(cut.events.at(-1)?.error).toMatchObject({
        code: 'engine_failed',
        message: expect.stringContaining('filtered'),
      })
      expect(rowOf(service, cut)).toMatchObject({ outcome: 'engine_crash', completion_tokens: 1 })
      for (let i = 0; i < 3; i += 1) expect((await service.post(question)).status).toBe(500)
      upstream.script = say('Hello')
      expect((await service.post(question)).status).toBe(200)
      expect(service.engine.upstreams()).toMatchObject([{ state: 'up', ejections: 0 }])
    },
    {},
    noProbes,
  )
})

test("a router's refusal is the text of the reply", async () => {
  await withUpstream(
    async ({ service, upstream }) => {
      upstream.script = (response) => {
        open(response)
        send(response, chunk({ role: 'assistant', content: null, refusal: '' }))
        for (const refusal of ["I'm sorry, ", 'I cannot help with that.'])
          send(response, chunk({ content: null, refusal }))
        send(response, chunk({}, 'stop'))
        finish(response)
      }
      const response = await service.post(question)
      expect(await response.json()).toMatchObject({
        choices: [{ message: { content: "I'm sorry, I cannot help with that." } }],
      })
    },
    { flavour: 'openai' },
    noProbes,
  )
})

test('a stall of the service is no pause of the upstream', async () => {
  await withUpstream(async ({ service, upstream }) => {
    upstream.script = async (response) => {
      open(response)
      send(response, chunk({ content: 'Hello' }))
      await new Promise((resolve) => setTimeout(resolve, 100))
      // After an immediate, Node runs the timers that are due before it reads from sockets.
      await new Promise((resolve) => setImmediate(resolve))
      // The upstream is in the process of the service, for which a pause may take 0.5 s.
      const endMs = performance.now() + 700
      while (performance.now() < endMs);
      send(response, chunk({}, 'stop'))
      finish(response)
    }
    const reply = await service.stream({ ...question, stream_options: { include_usage: true } })
    expect(reply.text).toBe('Hello')
    expect(rowOf(service, reply)).toMatchObject({ outcome: 'completed' })
  })
})
