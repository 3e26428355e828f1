import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** What the gauges read at scrape time. */
export type MetricSources = {
  engine: () => { ready: boolean; slots: number; restarts: number; guessedTokens: number }
  admission: () => { running: number; waiting: number }
}

/** Labels are few and fixed: no key, account, path or text ever becomes one. */
export function createMetrics(sources: MetricSources) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('pipit_engine_ready', 'Whether the engine can generate now (1 or 0).', () =>
    sources.engine().ready ? 1 : 0,
  )
  gauge(
    'pipit_engine_slots',
    'Generations that can run side by side.',
    () => sources.engine().slots,
  )
  gauge(
    'pipit_engine_restarts',
    'Restarts of the engine process since the start.',
    () => sources.engine().restarts,
  )
  gauge(
    'pipit_engine_guessed_tokens',
    'Completion tokens since the start that were guessed right and cost no step of their own.',
    () => sources.engine().guessedTokens,
  )
  gauge(
    'pipit_requests_running',
    'Generations that hold a slot.',
    () => sources.admission().running,
  )
  gauge(
    'pipit_requests_waiting',
    'Requests that wait for a slot.',
    () => sources.admission().waiting,
  )
  return {
    registry,
    requests: new Counter({
      name: 'pipit_http_requests_total',
      help: 'Answered HTTP requests by route pattern and status.',
      labelNames: ['route', 'status'],
      registers: [registry],
    }),
    requestSeconds: new Histogram({
      name: 'pipit_http_request_seconds',
      help: 'From the request line to the end of the reply.',
      labelNames: ['route'],
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
      registers: [registry],
    }),
    completions: new Counter({
      name: 'pipit_completions_total',
      help: 'Ended completions by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    tokens: new Counter({
      name: 'pipit_tokens_total',
      help: 'Model tokens by kind: prompt, cached, completion.',
      labelNames: ['kind'],
      registers: [registry],
    }),
    firstTokenSeconds: new Histogram({
      name: 'pipit_first_token_seconds',
      help: 'From arrival to the first generated token, waiting included.',
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
      registers: [registry],
    }),
  }
}
