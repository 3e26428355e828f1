import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import type { PanelReplicas } from '../../../src/protocol/panel/replicas.ts'
import { version } from '../../../src/version.ts'
import { errorOf } from '../../support/error-of.ts'
import { addUser, signIn } from '../../support/panel/panel.ts'
import { question, startTestService } from '../../support/service.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { json, startUpstream } from '../../support/upstream/scripted-upstream.ts'

test('one service with a file shows itself, without leases and upstream engines', async () => {
  const service = await startTestService()
  try {
    const ada = await signIn(service)
    const overview = (await (await ada.get('/replicas')).json()) as PanelReplicas
    expect(overview).toMatchObject({
      shared: false,
      replicas_total: 1,
      replicas: [{ id: null, name: `${hostname()}:0`, version, state: 'live', in_flight: 0 }],
      leases: { data: [], has_more: false, last_id: null },
      upstreams: null,
    })
  } finally {
    await service.close()
  }
})

test('only admins see the replicas, and a wrong place in the list is refused', async () => {
  const service = await startTestService()
  try {
    const ada = await signIn(service)
    const bob = await addUser(service, { email: 'bob@example.com', name: 'Bob' })
    expect((await errorOf(bob.get('/replicas')))[0]).toBe(403)
    for (const [query, code, parameter] of [
      ['limit=201', 'integer_above_max_value', 'limit'],
      ['after=nothing', 'invalid_value', 'after'],
      ['page=2', 'unsupported_parameter', 'page'],
    ])
      expect(await errorOf(ada.get(`/replicas?${query}`))).toEqual([400, code, parameter])
  } finally {
    await service.close()
  }
})

test('upstream engines have a state, the requests on their way and their latest failure', async () => {
  const [first, second] = [await startUpstream(), await startUpstream()]
  await second.close()
  const service = await startFrontedService(
    { urls: [first.url, second.url], key: 'sk-secret-of-the-upstream' },
    // Only the probe of the start, which has time enough on a busy machine.
    { probeEveryMs: 3_600_000, probeMs: 10_000, idleMs: 30_000, firstByteMs: 30_000 },
  )
  try {
    const ada = await signIn(service)
    const read = async () => {
      const text = await (await ada.get('/replicas')).text()
      expect(text).not.toContain('sk-secret')
      return (JSON.parse(text) as PanelReplicas).upstreams ?? []
    }
    const [up, down] = await read()
    expect(up).toMatchObject({ url: first.url, state: 'up', in_flight: 0, load: null, fault: null })
    expect(up).toMatchObject({ ejected_ms: null, probed_ms: expect.any(Number) })
    expect(down).toMatchObject({
      url: second.url,
      state: 'ejected',
      fault: { reason: 'the connection failed', at_ms: expect.any(Number) },
    })
    expect(down?.next_probe_ms).toBeGreaterThan((down?.ejected_ms ?? Infinity) + 3_000_000)

    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
    first.script = async (response) => {
      isAsked()
      await gate
      json(response, {}, 500)
    }
    const reply = service.post(question)
    await asked
    expect((await read())[0]).toMatchObject({ in_flight: 1, fault: null })
    letGo()
    expect((await reply).status).toBe(500)
    expect((await read())[0]).toMatchObject({ in_flight: 0, fault: { reason: 'status 500' } })
  } finally {
    await service.close()
    await first.close()
  }
})
