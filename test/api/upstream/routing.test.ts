import { expect, test } from 'vitest'
import {
  chunk,
  finish,
  json,
  open,
  say,
  type Script,
  send,
  startUpstream,
  truth,
} from '../../support/upstream/scripted-upstream.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { noProbes, withUpstreams } from '../../support/upstream/with-upstreams.ts'
import { question } from '../../support/service.ts'

const user = (content: string) => ({ ...question, messages: [{ role: 'user', content }] })
test('a request that one upstream has no room for goes to another, and is delivered once (F35)', async () => {
  await withUpstreams(
    2,
    async ({ service, upstreams }) => {
      const [first, second] = upstreams
      for (const upstream of [first, second])
        if (upstream) upstream.script = (response) => json(response, {}, 503)
      expect((await service.post(question)).status).toBe(503)
      expect((first?.asked.length ?? 0) + (second?.asked.length ?? 0)).toBe(2)
      if (second) second.script = say('From the second')
      for (let i = 0; i < 4; i += 1) {
        const response = await service.post(user(`question ${i}`))
        expect(response.status).toBe(200)
        const reply = (await response.json()) as { choices: { message: { content: string } }[] }
        expect(reply.choices[0]?.message.content).toBe('From the second')
      }
    },
    {},
    noProbes,
  )
})

test('an upstream that refuses connections is replaced at once, without an error (F35)', async () => {
  await withUpstreams(
    2,
    async ({ service, upstreams }) => {
      await upstreams[0]?.close()
      const statuses = await Promise.all(
        Array.from({ length: 8 }, async (_, i) => (await service.post(user(`${i}`))).status),
      )
      expect(new Set(statuses)).toEqual(new Set([200]))
      upstreams[0] = await startUpstream()
    },
    {},
    noProbes,
  )
})

test('a reply that has begun is never tried again (F36)', async () => {
  await withUpstreams(2, async ({ service, upstreams }) => {
    for (const upstream of upstreams)
      upstream.script = async (response) => {
        open(response)
        send(response, chunk({ content: 'Half' }))
        await new Promise((resolve) => setTimeout(resolve, 20))
        response.destroy()
      }
    const { text, done } = await service.stream(question)
    expect([text, done]).toEqual(['Half', false])
    expect(upstreams.flatMap(({ asked }) => asked)).toHaveLength(1)
  })
})

test('when all upstreams fail, few requests are tried again (F35)', async () => {
  await withUpstreams(
    2,
    async ({ service, upstreams }) => {
      for (const upstream of upstreams) upstream.script = (response) => json(response, {}, 503)
      for (let i = 0; i < 60; i += 1) expect((await service.post(question)).status).toBe(503)
      const asked = upstreams.flatMap((upstream) => upstream.asked).length
      // 60 requests, a burst of 10 retries, and one retry for each ten requests.
      expect(asked).toBeGreaterThan(60)
      expect(asked).toBeLessThanOrEqual(60 + 10 + 6)
    },
    {},
    noProbes,
  )
})

test('an upstream whose health is fine but that generates nothing is ejected, and admitted later (F38)', async () => {
  await withUpstreams(1, async ({ service, upstreams: [upstream] }) => {
    if (upstream === undefined) throw new Error('no upstream')
    const { probe } = upstream
    upstream.probe = () => {}
    await expect.poll(() => service.engine.state).toBe('restarting')
    expect((await fetch(`${upstream.url}/health`)).status).toBe(200)
    const refused = await service.post(question)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    expect((await service.request('/readyz', { key: null })).status).toBe(503)
    const metric = async (name: string) => {
      const text = await (await fetch(service.metricsUrl)).text()
      const labels = `{upstream="${new URL(upstream.url).host}"}`
      return text
        .split('\n')
        .find((line) => line.startsWith(`${name}${labels} `))
        ?.split(' ')[1]
    }
    expect(await metric('pipit_upstream_up')).toBe('0')
    expect(await metric('pipit_upstream_ejections_total')).toBe('1')
    upstream.probe = probe
    await service.isReady()
    expect(await metric('pipit_upstream_up')).toBe('1')
    expect(await metric('pipit_upstream_requests_running')).toBe('0')
    expect((await service.post(question)).status).toBe(200)
  })
})

test('an upstream that is too busy to answer one probe in time stays up', async () => {
  await withUpstreams(
    1,
    async ({ service, upstreams: [upstream] }) => {
      if (upstream === undefined) throw new Error('no upstream')
      const { probe } = upstream
      let probes = 0
      upstream.probe = (response, asked) => {
        probes += 1
        return probes === 1 ? undefined : probe(response, asked)
      }
      await expect.poll(() => probes).toBeGreaterThan(2)
      expect(service.engine.upstreams()).toMatchObject([{ state: 'up', ejections: 0 }])
    },
    {},
    // Longer than the probe may take, which is to end it.
    { probeMs: 1000, connectMs: 10_000, firstByteMs: 10_000 },
  )
})

test('three streams that are cut eject an upstream; wrong tool calls, which any client can provoke, do not', async () => {
  await withUpstreams(
    1,
    async ({ service, upstreams: [upstream] }) => {
      if (upstream === undefined) throw new Error('no upstream')
      const tool = { type: 'function', function: { name: 'weather' } }
      const forced = { ...question, tools: [tool], tool_choice: 'required' }
      const call = (name: string, text: string) =>
        chunk({ tool_calls: [{ index: 0, function: { name, arguments: text } }] }, 'tool_calls')
      const wrong = [
        chunk({ content: 'Sunny' }, 'stop'),
        call('erase', '{}'),
        call('weather', '[1]'),
        chunk({ content: 'Sunny' }, 'tool_calls'),
      ]
      for (const each of wrong) {
        upstream.script = (response) => {
          open(response)
          send(response, each)
          finish(response)
        }
        expect((await service.post(forced)).status).toBe(500)
      }
      upstream.script = say('Hello')
      expect((await service.post(question)).status).toBe(200)
      expect(service.engine.upstreams()).toMatchObject([{ state: 'up', ejections: 0 }])
      upstream.script = (response) => {
        open(response)
        finish(response)
      }
      for (let i = 0; i < 3; i += 1) expect((await service.post(question)).status).toBe(500)
      expect(service.engine.upstreams()).toMatchObject([{ state: 'ejected', ejections: 1 }])
    },
    {},
    noProbes,
  )
})

const reportsErrors: Record<string, Script> = {
  // llama-server's reply to a conversation that the model's chat template refuses.
  'the status 500': (response) => json(response, { error: { code: 500 } }, 500),
  'an error event': (response) => {
    open(response)
    send(response, { error: { code: 500 } })
    finish(response)
  },
}

test.for(Object.entries(reportsErrors))(
  'requests that an upstream answers with %s do not eject it while its probe succeeds or is too busy',
  async ([, script]) => {
    await withUpstreams(
      1,
      async ({ service, upstreams: [upstream] }) => {
        if (upstream === undefined) throw new Error('no upstream')
        upstream.script = script
        const probesOfStart = upstream.probes
        for (let i = 0; i < 5; i += 1) expect((await service.post(question)).status).toBe(500)
        await expect.poll(() => upstream.probes).toBeGreaterThan(probesOfStart)
        upstream.probe = (response) => json(response, {}, 429)
        const before = upstream.probes
        const ask = async () => (await service.post(question)).status
        await expect
          .poll(async () => [await ask(), upstream.probes - before > 1])
          .toEqual([500, true])
        upstream.script = say('Hello')
        expect((await service.post(question)).status).toBe(200)
        expect(service.engine.upstreams()).toMatchObject([{ state: 'up', ejections: 0 }])
      },
      {},
      noProbes,
    )
  },
)

test('an upstream whose probe fails too is ejected after the first error that it reports', async () => {
  await withUpstreams(
    1,
    async ({ service, upstreams: [upstream] }) => {
      if (upstream === undefined) throw new Error('no upstream')
      upstream.script = (response) => json(response, {}, 500)
      upstream.probe = (response) => json(response, {}, 500)
      expect((await service.post(question)).status).toBe(500)
      await expect
        .poll(() => service.engine.upstreams())
        .toMatchObject([{ state: 'ejected', ejections: 1 }])
    },
    // A router, whose regular probes generate nothing.
    { flavour: 'openai' },
    noProbes,
  )
})

test('the time to the first byte counts from the request, also if the head of the response comes earlier', async () => {
  await withUpstreams(
    1,
    async ({ service, upstreams: [upstream] }) => {
      if (upstream === undefined) throw new Error('no upstream')
      const wait = () => new Promise((resolve) => setTimeout(resolve, 700))
      // Each of the two pauses is shorter than the 1000 ms that both together may take.
      upstream.script = async (response) => {
        await wait()
        open(response)
        response.flushHeaders()
        await wait()
        send(response, chunk({ content: 'Late' }, 'stop'))
        finish(response)
      }
      expect((await service.post(question)).status).toBe(500)
      expect(service.engine.upstreams()).toMatchObject([{ fault: { reason: expect.any(String) } }])
    },
    {},
    { ...noProbes, firstByteMs: 1000 },
  )
})

test('a service starts before its upstreams, and serves once they do', async () => {
  const upstream = await startUpstream()
  await upstream.close()
  const service = await startFrontedService({ urls: [upstream.url] })
  try {
    expect(service.engine.state).toBe('loading')
    expect((await service.post(question)).status).toBe(503)
  } finally {
    await service.close()
  }
})

test('an upstream that lists other models only gets no requests', async () => {
  await withUpstreams(
    1,
    async ({ service }) => {
      expect(service.engine.state).toBe('loading')
      expect((await service.post(question)).status).toBe(503)
    },
    { model: 'another-model' },
  )
})

test('requests with the same prefix go to the same upstream, and others are spread', async () => {
  await withUpstreams(
    3,
    async ({ service, upstreams }) => {
      for (let i = 0; i < 6; i += 1) await service.post(user('the same conversation'))
      const counts = upstreams.map(({ asked }) => asked.length).toSorted((a, b) => a - b)
      expect(counts).toEqual([0, 0, 6])
      for (let i = 0; i < 100; i += 1) await service.post(user(`conversation ${i}`))
      for (const { asked } of upstreams) expect(asked.length).toBeGreaterThan(10)
    },
    {},
    noProbes,
  )
})

test('a busy upstream gets no more requests for the sake of its prefix', async () => {
  await withUpstreams(
    3,
    async ({ service, upstreams }) => {
      const release = Promise.withResolvers<void>()
      for (const upstream of upstreams)
        upstream.script = async (response, asked) => {
          await release.promise
          await say('Late')(response, asked)
        }
      const replies = Array.from({ length: 8 }, () => service.post(user('the same conversation')))
      const asked = () => upstreams.map((upstream) => upstream.asked.length)
      await expect.poll(() => asked().reduce((sum, count) => sum + count, 0)).toBe(8)
      expect(Math.max(...asked())).toBeLessThanOrEqual(5)
      release.resolve()
      for (const reply of replies) expect((await reply).status).toBe(200)
    },
    {},
    noProbes,
  )
})

test('connections are used again after a whole reply', async () => {
  await withUpstreams(
    1,
    async ({ service, upstreams: [upstream] }) => {
      const ports = new Set<number | undefined>()
      if (upstream)
        upstream.script = (response) => {
          ports.add(response.socket?.remotePort)
          open(response)
          send(response, chunk({ content: 'Hi' }))
          send(response, chunk({}, 'stop'))
          send(response, { choices: [], usage: truth })
          finish(response)
        }
      for (let i = 0; i < 5; i += 1) await service.post(question)
      expect(ports.size).toBe(1)
    },
    {},
    noProbes,
  )
})

test('max_tokens is cut to what the context has left, by the count of the upstream', async () => {
  const upstream = await startUpstream({ contextTokens: 1000, promptTokens: 400 })
  const service = await startFrontedService({ urls: [upstream.url] })
  try {
    for (const [asked, sent] of [
      [700, 700],
      [950, 600],
    ]) {
      expect((await service.post({ ...question, max_tokens: asked })).status).toBe(200)
      expect(upstream.asked.at(-1)?.body['max_tokens']).toBe(sent)
    }
  } finally {
    await service.close()
    await upstream.close()
  }
})

test('a prompt of 250,000 tokens is counted, though vLLM lists each token', async () => {
  const upstream = await startUpstream({ contextTokens: 1_000_000, promptTokens: 250_000 })
  const service = await startFrontedService({ urls: [upstream.url] })
  try {
    const response = await service.post(question, { path: '/v1/chat/completions/input_tokens' })
    expect(await response.json()).toMatchObject({ input_tokens: 250_000 })
  } finally {
    await service.close()
    await upstream.close()
  }
})

test.for([
  ['is asked for no more completions if it is the only one', 1, false],
  ['is asked for completions if another could take its requests', 2, true],
] as const)('an idle Ollama %s', async ([, count, isAsked]) => {
  await withUpstreams(
    count,
    async ({ upstreams: [upstream] }) => {
      if (upstream === undefined) throw new Error('no upstream')
      const { modelsRead, probes } = upstream
      await expect.poll(() => upstream.modelsRead).toBeGreaterThan(modelsRead + 2)
      expect(upstream.probes > probes).toBe(isAsked)
    },
    { flavour: 'ollama' },
  )
})

test('the context is the smallest of the upstreams that are up, also after one has started again with another', async () => {
  const other = await startUpstream({ contextTokens: 3000 })
  const first = await startUpstream({ contextTokens: 1000 })
  const service = await startFrontedService({ urls: [first.url, other.url] })
  const context = () => service.engine.info.contextTokens
  let again: typeof first | undefined
  try {
    await expect.poll(context).toBe(1000)
    await first.close()
    await expect.poll(context).toBe(3000)
    again = await startUpstream({ contextTokens: 2000, port: Number(new URL(first.url).port) })
    await expect.poll(context).toBe(2000)
  } finally {
    await service.close()
    await again?.close()
    await other.close()
  }
})
