import { expect, test } from 'vitest'
import { question } from '../../support/service.ts'
import { say, type Script } from '../../support/upstream/scripted-upstream.ts'
import { withUpstreams } from '../../support/upstream/with-upstreams.ts'

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
