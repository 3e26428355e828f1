import { expect, test } from 'vitest'
import { question } from '../../support/service.ts'
import { noProbes, withUpstreams } from '../../support/upstream/with-upstreams.ts'

test('a request that breaks the connection before any response reaches two upstreams at most (F35)', async () => {
  await withUpstreams(
    4,
    async ({ service, upstreams }) => {
      for (const upstream of upstreams) upstream.script = (response) => response.destroy()
      expect((await service.post(question)).status).toBe(503)
      expect(upstreams.filter(({ asked }) => asked.length > 0)).toHaveLength(2)
      // Such a request alone ejects none of them: any client can send one.
      expect(service.engine.upstreams?.().map(({ state }) => state)).toEqual(Array(4).fill('up'))
    },
    {},
    noProbes,
  )
})
