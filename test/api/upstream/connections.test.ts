import dns from 'node:dns'
import { expect, onTestFinished, test, vi } from 'vitest'
import { question } from '../../support/service.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import { say, type Script, startUpstream } from '../../support/upstream/scripted-upstream.ts'
import { noProbes, withUpstreams } from '../../support/upstream/with-upstreams.ts'

const switchProtocols: Script = (response) =>
  response.socket?.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  )

test('an upstream that switches protocols fails a request, and holds neither its slot nor the probes', async () => {
  await withUpstreams(1, async ({ service, upstreams: [upstream] }) => {
    if (upstream === undefined) throw new Error('no upstream')
    const { probe } = upstream
    upstream.script = switchProtocols
    expect((await service.post(question)).status).toBe(503)
    expect(service.engine.stats().slotsBusy).toBe(0)
    upstream.probe = switchProtocols
    await expect.poll(() => service.engine.state).toBe('restarting')
    Object.assign(upstream, { probe, script: say('Hello') })
    await service.isReady()
    expect((await service.post(question)).status).toBe(200)
  })
}, 20_000)

test('a client that leaves before its request was sent pays nothing', async () => {
  const upstream = await startUpstream()
  onTestFinished(() => upstream.close())
  const urls = [upstream.url.replace('127.0.0.1', 'localhost')]
  const service = await startFrontedService({ urls }, noProbes)
  onTestFinished(() => service.close())
  const leaving = new AbortController()
  const post = () => service.post(question, { signal: leaving.signal }).catch(() => {})
  // The first request keeps the connection of the probe, so the second one needs another.
  upstream.script = () => {}
  const first = post()
  await expect.poll(() => upstream.asked.length).toBe(1)
  const lookup = vi.spyOn(dns, 'lookup').mockReturnValue()
  onTestFinished(() => lookup.mockRestore())
  const second = post()
  await expect.poll(() => lookup.mock.calls.length).toBe(1)
  leaving.abort()
  await Promise.all([first, second])
  const tokens = () => service.ledgerRows().map((row) => [row['outcome'], row['prompt_tokens']])
  await expect.poll(tokens).toEqual([
    ['client_abort', expect.any(Number)],
    ['client_abort', 0],
  ])
  expect(service.ledgerRows()[0]?.['prompt_tokens']).toBeGreaterThan(0)
}, 20_000)
