import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('what only grows is a counter; the name of version 0.1 stays as a gauge that names the counter', async () => {
  const stats = { restarts: 2, speculativeTokens: 30, promptTokens: 400, completionTokens: 50 }
  const engine = { state: 'ready', info: { slots: 1 }, stats: () => stats }
  const { registry } = createMetrics(engine, { running: 0, waiting: 0, backlogMs: 0 })
  await registry.metrics()
  stats.restarts = 3
  const text = await registry.metrics()
  for (const line of [
    '# TYPE pipit_engine_restarts_total counter',
    'pipit_engine_restarts_total 3',
    '# HELP pipit_engine_restarts Deprecated: use pipit_engine_restarts_total.',
    '# TYPE pipit_engine_restarts gauge',
    'pipit_engine_restarts 3',
    'pipit_engine_speculative_tokens_total 30',
    'pipit_engine_guessed_tokens 30',
  ])
    expect(text.split('\n')).toContain(line)
})
