import { expect, test } from 'vitest'
import type { Logger } from '../../../src/telemetry/logger.ts'
import { startFrontedService } from '../../support/upstream/fronted-service.ts'
import {
  report,
  type ScriptedUpstream,
  startUpstream,
} from '../../support/upstream/scripted-upstream.ts'
import { question } from '../../support/service.ts'

type Scene = {
  readonly service: Awaited<ReturnType<typeof startFrontedService>>
  readonly first: ScriptedUpstream
  readonly second: ScriptedUpstream
  /** Sends requests with different prefixes. Returns how many of them went to each upstream. */
  readonly spread: () => Promise<[first: number, second: number]>
}

/** Long enough for a busy machine. Reports are valid for three seconds. */
const timeouts = { probeEveryMs: 1000, probeMs: 10_000, firstByteMs: 10_000, idleMs: 10_000 }

/** Starts a service in front of two upstreams, and closes all of them after the test. */
async function withTwo(run: (scene: Scene) => Promise<void>, logger?: Logger): Promise<void> {
  const [first, second] = [await startUpstream(), await startUpstream()]
  const service = await startFrontedService({ urls: [first.url, second.url] }, timeouts, logger)
  const spread = async (): Promise<[number, number]> => {
    const before = [first.asked.length, second.asked.length] as const
    for (let i = 0; i < 24; i += 1)
      expect((await service.post(user(`conversation ${i}`))).status).toBe(200)
    return [first.asked.length - before[0], second.asked.length - before[1]]
  }
  try {
    await run({ service, first, second, spread })
  } finally {
    await service.close()
    await first.close()
    await second.close()
  }
}

const user = (content: string) => ({ ...question, messages: [{ role: 'user', content }] })

/** Waits until the service knows these loads of its two upstreams. */
async function isKnown({ service }: Scene, loads: readonly (object | undefined)[]): Promise<void> {
  await expect.poll(() => service.engine.upstreams().map(({ load }) => load)).toEqual(loads)
}

test('requests avoid an upstream that is busy with those of other services', async () => {
  await withTwo(async (scene) => {
    const { service, first, second, spread } = scene
    first.metrics = report(30, 8)
    second.metrics = report(2, 0)
    await isKnown(scene, [
      { running: 30, waiting: 8 },
      { running: 2, waiting: 0 },
    ])
    expect(await spread()).toEqual([0, 24])
    const text = await (await fetch(service.metricsUrl)).text()
    const upstream = new URL(first.url).host
    expect(text).toContain(
      `pipit_upstream_requests_reported{upstream="${upstream}",state="running"} 30`,
    )
    expect(text).toContain(
      `pipit_upstream_requests_reported{upstream="${upstream}",state="waiting"} 8`,
    )

    second.metrics = report(0, 90)
    await isKnown(scene, [
      { running: 30, waiting: 8 },
      { running: 0, waiting: 90 },
    ])
    expect(await spread()).toEqual([24, 0])
  })
})

test('a prefix keeps its upstream until that is clearly busier than the other', async () => {
  await withTwo(async (scene) => {
    const { service, first, second } = scene
    await service.post(user('the same conversation'))
    const [home, other] = first.asked.length > 0 ? [first, second] : [second, first]
    const load = async (ofHome: number, ofOther: number) => {
      home.metrics = report(ofHome, 0)
      other.metrics = report(ofOther, 0)
      const loads = [ofHome, ofOther].map((running) => ({ running, waiting: 0 }))
      await isKnown(scene, home === first ? loads : loads.toReversed())
      const before = home.asked.length
      for (let i = 0; i < 4; i += 1) await service.post(user('the same conversation'))
      return home.asked.length - before
    }
    expect(await load(10, 8)).toBe(4)
    expect(await load(20, 8)).toBe(0)
  })
})

test('if one upstream reports no load, requests are spread by what we have in flight, and the log says so once', async () => {
  const lines: { message: string; upstream: unknown }[] = []
  const write = (message: string, facts?: object) =>
    void lines.push({ message, ...(facts as { upstream: unknown }) })
  const logger = { debug: write, info: write, warn: write, error: write }
  await withTwo(async ({ service, first, second, spread }) => {
    first.metrics = report(50, 0)
    await expect
      .poll(() => service.engine.upstreams()[0]?.load)
      .toEqual({ running: 50, waiting: 0 })
    await expect.poll(() => second.metricsRead).toBeGreaterThan(2)
    expect(Math.min(...(await spread()))).toBeGreaterThan(2)
    const found = lines.filter(({ message }) => message.includes('does not report its load'))
    // The first upstream had no metrics when it was read for the first time, or had them already.
    expect(found.filter(({ upstream }) => upstream === second.url)).toHaveLength(1)
    expect(found.length).toBeLessThanOrEqual(2)
  }, logger)
})

test('reports that are too old are not used, and engines whose metrics hang fail no request', async () => {
  await withTwo(async (scene) => {
    const { service, first, second, spread } = scene
    first.metrics = report(50, 0)
    second.metrics = report(0, 0)
    await isKnown(scene, [
      { running: 50, waiting: 0 },
      { running: 0, waiting: 0 },
    ])
    first.metrics = () => {}
    await isKnown(scene, [undefined, { running: 0, waiting: 0 }])
    expect(Math.min(...(await spread()))).toBeGreaterThan(2)
    expect(service.engine.upstreams().map(({ state, fault }) => [state, fault])).toEqual([
      ['up', undefined],
      ['up', undefined],
    ])
  })
})

test('metrics that are too long or cannot be right are not used', async () => {
  await withTwo(async (scene) => {
    const { first, second, spread } = scene
    first.metrics = (response) => response.end(`${'#'.repeat(2 ** 20)}\n${'x'.repeat(4096)}`)
    second.metrics = report(-5, 0)
    await expect.poll(() => Math.min(first.metricsRead, second.metricsRead)).toBeGreaterThan(1)
    await isKnown(scene, [undefined, undefined])
    expect(Math.min(...(await spread()))).toBeGreaterThan(2)
  })
})

test('a single upstream is never asked for its load', async () => {
  const upstream = await startUpstream()
  const service = await startFrontedService({ urls: [upstream.url] })
  try {
    await expect.poll(() => upstream.probes).toBeGreaterThan(3)
    expect(upstream.metricsRead).toBe(0)
  } finally {
    await service.close()
    await upstream.close()
  }
})
