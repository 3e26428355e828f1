import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { addClusterMetrics } from './cluster-metrics.ts'

test('upstreams that differ in their paths have labels of their own', async () => {
  const registry = new Registry()
  const upstream = (url: string, state: string) => ({
    url,
    state,
    inFlight: 0,
    load: undefined,
    ejections: 0,
  })
  const upstreams = [
    upstream('http://one:8000/', 'up'),
    upstream('http://gateway/a', 'down'),
    upstream('http://gateway/b', 'up'),
  ]
  addClusterMetrics(registry, {
    engine: { upstreams: () => upstreams },
    replica: undefined,
    rateLimits: {},
  })
  const lines = (await registry.metrics()).split('\n')
  expect(lines.filter((line) => line.startsWith('pipit_upstream_up{'))).toEqual([
    'pipit_upstream_up{upstream="one:8000"} 1',
    'pipit_upstream_up{upstream="gateway/a"} 0',
    'pipit_upstream_up{upstream="gateway/b"} 1',
  ])
})
