import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { processUsage } from './process-usage.ts'

export type Metrics = ReturnType<typeof createMetrics>

type EngineFacts = {
  readonly state: string
  /** The engine process, if there is one. */
  readonly pid?: number | undefined
  readonly info: { readonly slots: number; readonly ownWeightsShare?: number }
  stats(): {
    readonly restarts: number
    readonly speculativeTokens: number
    readonly promptTokens: number
    readonly completionTokens: number
  }
}
type LedgerFacts = { readonly receiptsLeftOut: number }
type BudgetFacts = {
  readonly bytes: number
  readonly bytesMax: number
  readonly journalBytes: number
  readonly receiptsDeleted: number
}
type LogFacts = { readonly dropped?: number }
type AdmissionFacts = {
  readonly running: number
  readonly waiting: number
  readonly backlogMs: number
}
type DatabaseFacts = { readonly healthy: boolean }

const cutReasons = ['replaced', 'refused', 'pipelined', 'unread']

/**
 * Creates the metrics. The metrics of the engine and of admission are read at each scrape. Labels are few and fixed: no
 * key, account, path or text ever becomes a label.
 */
export function createMetrics(engine: EngineFacts, admission: AdmissionFacts) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  addEngineMetrics(registry, engine)
  const gauge = (name: string, help: string, read: () => number) =>
    addGauge(registry, name, help, read)
  gauge('pipit_requests_running', 'Slots that are held by requests.', () => admission.running)
  gauge(
    'pipit_requests_waiting',
    'Requests that wait for a slot, or whose body is still arriving.',
    () => admission.waiting,
  )
  gauge(
    'pipit_queue_seconds',
    'Predicted seconds until all requests that wait have got a slot.',
    () => admission.backlogMs / 1000,
  )
  return {
    registry,
    ...connectionMetrics(registry),
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
      // A reply ends after ten minutes at the latest.
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000],
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

/**
 * Gives counters of failures their first value, 0. Prometheus does not see the increase of a series that begins with the
 * failures themselves.
 */
export function startCounters(
  { completions, requests, connectionsCut }: Metrics,
  outcomes: readonly string[],
): void {
  for (const outcome of outcomes) completions.inc({ outcome }, 0)
  for (const reason of cutReasons) connectionsCut.inc({ reason }, 0)
  for (const status of [500, 503]) requests.inc({ route: '/v1/chat/completions', status }, 0)
}

/**
 * Adds metrics that are read at each scrape: the ledger's state and size, the receipts deleted to keep it within its
 * budget, and the refused requests without a receipt.
 */
export function addLedgerMetrics(
  registry: Registry,
  ledger: LedgerFacts,
  budget: BudgetFacts,
  database: DatabaseFacts,
): void {
  const facts: [name: string, help: string, read: () => number][] = [
    [
      'pipit_ledger_writable',
      '1 if the ledger can be written, else 0.',
      () => (database.healthy ? 1 : 0),
    ],
    ['pipit_ledger_bytes', 'Bytes of the database that are in use.', () => budget.bytes],
    [
      'pipit_ledger_bytes_max',
      'Bytes beyond which the oldest receipts are deleted; on PostgreSQL nothing is deleted.',
      () => budget.bytesMax,
    ],
    [
      'pipit_ledger_journal_bytes',
      'Bytes of the write-ahead journal beside the database; 0 on PostgreSQL.',
      () => budget.journalBytes,
    ],
  ]
  for (const [name, help, read] of facts) addGauge(registry, name, help, read)
  addCounter(
    registry,
    'pipit_receipts_deleted_early',
    'Receipts deleted since the service started because the ledger was over its budget.',
    () => budget.receiptsDeleted,
  )
  addCounter(
    registry,
    'pipit_receipts_left_out',
    'Refused requests since the service started that were counted without a receipt.',
    () => ledger.receiptsLeftOut,
  )
}

/** Adds the number of lost log lines, read at each scrape. */
export function addLogMetrics(registry: Registry, log: LogFacts): void {
  addCounter(
    registry,
    'pipit_log_lines_dropped',
    'Log lines since the service started that could not be written, because the reader is stuck or the disk is full.',
    () => log.dropped ?? 0,
  )
}

/** Adds the number of spans that were not exported, read at each scrape. */
export function addTraceMetrics(registry: Registry, dropped: () => number): void {
  addCounter(
    registry,
    'pipit_trace_spans_dropped',
    'Spans since the service started that were not exported, because the collector is away or refuses them.',
    dropped,
  )
}

function addEngineMetrics(registry: Registry, engine: EngineFacts): void {
  const gauge = (name: string, help: string, read: () => number) =>
    addGauge(registry, name, help, read)
  const counter = (name: string, help: string, read: () => number, earlierName?: string) =>
    addCounter(registry, name, help, read, earlierName)
  gauge('pipit_engine_ready', '1 if the engine can generate now, else 0.', () =>
    engine.state === 'ready' ? 1 : 0,
  )
  const usage = () => (engine.pid === undefined ? undefined : processUsage(engine.pid))
  gauge(
    'pipit_engine_resident_memory_bytes',
    'Memory of the engine process, which has the model; 0 without such a process.',
    () => usage()?.residentBytes ?? 0,
  )
  addTotal(
    registry,
    'pipit_engine_cpu_seconds_total',
    'Processor time of the engine process since it started.',
    () => usage()?.cpuSeconds ?? 0,
  )
  gauge('pipit_engine_slots', 'Generations that can run concurrently.', () => engine.info.slots)
  gauge(
    'pipit_engine_own_weights_ratio',
    'Part of the weights in products that our own kernels multiply, 0 to 1; llama.cpp multiplies the rest.',
    () => engine.info.ownWeightsShare ?? 0,
  )
  counter(
    'pipit_engine_restarts',
    'Restarts of the engine process since the service started.',
    () => engine.stats().restarts,
  )
  counter(
    'pipit_engine_speculative_tokens',
    'Speculative tokens accepted since the service started.',
    () => engine.stats().speculativeTokens,
    'pipit_engine_guessed_tokens',
  )
  counter(
    'pipit_engine_prompt_tokens',
    'Prompt tokens that the engine has computed since the service started.',
    () => engine.stats().promptTokens,
  )
  counter(
    'pipit_engine_completion_tokens',
    'Completion tokens that the engine has sampled since the service started.',
    () => engine.stats().completionTokens,
  )
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

/**
 * Adds a counter named `name` with the suffix `_total`. For one release, a gauge keeps the name from version 0.1, which
 * had no suffix.
 */
function addCounter(
  registry: Registry,
  name: string,
  help: string,
  read: () => number,
  earlierName = name,
): void {
  addTotal(registry, `${name}_total`, help, read)
  addGauge(registry, earlierName, `Deprecated: use ${name}_total.`, read)
}

function addTotal(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset()
      this.inc(read())
    },
  })
}

function connectionMetrics(registry: Registry) {
  return {
    connections: new Gauge({
      name: 'pipit_http_connections',
      help: 'Open HTTP connections.',
      registers: [registry],
    }),
    connectionsCut: new Counter({
      name: 'pipit_http_connections_cut_total',
      help: `HTTP connections that were closed early, by reason: ${cutReasons.join(', ')}.`,
      labelNames: ['reason'],
      registers: [registry],
    }),
  }
}
