import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { question } from '../../support/service.ts'
import type { Script } from '../../support/upstream/scripted-upstream.ts'
import { noProbes, withUpstreams } from '../../support/upstream/with-upstreams.ts'

test('a request that breaks the connection before any response reaches two upstreams at most (F35)', async () => {
  await withUpstreams(
    4,
    async ({ service, upstreams }) => {
      for (const upstream of upstreams) upstream.script = (response) => response.destroy()
      expect((await service.post(question)).status).toBe(503)
      expect(upstreams.flatMap(({ asked }) => asked)).toHaveLength(2)
      // Such a request alone ejects none of them: any client can send one.
      expect(service.engine.upstreams?.().map(({ state }) => state)).toEqual(Array(4).fill('up'))
    },
    {},
    noProbes,
  )
})

const breaks: Record<string, Script> = {
  'at once': (response) => response.destroy(),
  'after a while': async (response) => {
    await delay(1500)
    response.destroy()
  },
}

test.for(Object.entries(breaks))(
  'a request that breaks kept connections %s is sent twice at most (F35)',
  async ([, script]) => {
    await withUpstreams(
      3,
      async ({ service, upstreams }) => {
        const asked = () => upstreams.map((upstream) => upstream.asked.length)
        // The reply leaves a connection to each upstream that the next request uses again.
        for (let i = 0; asked().includes(0); i += 1) {
          const messages = [{ role: 'user', content: `question ${i}` }]
          expect((await service.post({ ...question, messages })).status).toBe(200)
        }
        for (const upstream of upstreams) Object.assign(upstream, { script, asked: [] })
        expect((await service.post(question)).status).toBe(503)
        expect(asked().reduce((sum, count) => sum + count, 0)).toBe(2)
        expect(service.engine.upstreams().map(({ ejections }) => ejections)).toEqual([0, 0, 0])
      },
      {},
      noProbes,
    )
  },
)

test('a request is sent again to the only upstream if that has closed the kept connection meanwhile', async () => {
  await withUpstreams(
    1,
    async ({ service, upstreams: [upstream] }) => {
      if (upstream === undefined) throw new Error('no upstream')
      const { script } = upstream
      const breakOnce: Script = (response) => {
        upstream.script = script
        response.destroy()
      }
      for (let i = 0; i < 3; i += 1) {
        expect((await service.post(question)).status).toBe(200)
        upstream.script = breakOnce
        expect((await service.post(question)).status).toBe(200)
      }
      expect(service.engine.upstreams()).toMatchObject([{ state: 'up', fault: undefined }])
    },
    {},
    noProbes,
  )
})
