import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

type EngineFacts = {
  readonly state: string
  readonly info: { readonly slots: number }
  stats(): { readonly restarts: number; readonly speculativeTokens: number }
}
type AdmissionFacts = { readonly running: number; readonly waiting: number }

/**
 * Creates the metrics; gauges read the engine and the admission when they are scraped. Labels are few and
 * fixed: no key, account, path or text ever becomes one.
 */
export function createMetrics(engine: EngineFacts, admission: AdmissionFacts) {
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
  gauge('pipit_engine_ready', '1 if the engine can generate now, else 0.', () =>
    engine.state === 'ready' ? 1 : 0,
  )
  gauge('pipit_engine_slots', 'Generations that can run concurrently.', () => engine.info.slots)
  gauge(
    'pipit_engine_restarts',
    'Restarts of the engine process since the service started.',
    () => engine.stats().restarts,
  )
  gauge(
    'pipit_engine_guessed_tokens',
    'Completion tokens accepted from speculation since the service started.',
    () => engine.stats().speculativeTokens,
  )
  gauge('pipit_requests_running', 'Slots that are held by requests.', () => admission.running)
  gauge('pipit_requests_waiting', 'Requests that wait for a slot.', () => admission.waiting)
  return {
    registry,
    requests: new Counter({
      name: 'pipit_http_requests_total',
      help: 'HTTP requests by route pattern and status.',
      labelNames: ['route', 'status'],
      registers: [registry],
    }),
    requestSeconds: new Histogram({
      name: 'pipit_http_request_seconds',
      help: 'Seconds from the request line to the end of the response.',
      labelNames: ['route'],
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
      registers: [registry],
    }),
    completions: new Counter({
      name: 'pipit_completions_total',
      help: 'Completions by outcome.',
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
      help: 'Seconds from arrival to the first generated token, including the wait for a slot.',
      buckets: [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100],
      registers: [registry],
    }),
  }
}
