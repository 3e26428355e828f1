import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { ApiKeys } from './accounts/api-keys.ts'
import { createFirstKey } from './accounts/first-key.ts'
import { Admission } from './completions/admission/admission.ts'
import { Idempotency } from './completions/idempotency.ts'
import { type Closers, openInSteps } from './closers.ts'
import type { Config } from './config.ts'
import { createEngine } from './engine/create-engine.ts'
import { describeEngine, findModelCard } from './engine/describe-engine.ts'
import type { Engine } from './engine/engine.ts'
import { closeServer, listen, requireKeyUnlessLoopback } from './http/listen.ts'
import { createMetricsServer } from './http/metrics-server.ts'
import { createServer } from './http/server.ts'
import { bufferSlabBytes, heapGrowthPercent } from './limits.ts'
import { panelFolder } from './paths.ts'
import { createPanel } from './people/create-panel.ts'
import { createSetUpLink } from './people/one-time-links.ts'
import { openDatabase } from './storage/database.ts'
import type { Logger } from './telemetry/logger.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { Ledger } from './usage/ledger.ts'
import { RateLimits } from './usage/limits/rate-limits.ts'
import { Receipts } from './usage/receipts.ts'
import { Retention } from './usage/retention.ts'
import { UsageReport } from './usage/usage-report.ts'

export type Service = Awaited<ReturnType<typeof startService>>

/**
 * Starts the service: the composition root. `close` lets running replies finish within the grace period.
 * @param ownEngine used instead of the configured engine
 * @throws StartError
 */
export function startService(config: Config, logger: Logger, ownEngine?: Engine) {
  Buffer.poolSize = bufferSlabBytes
  // Set here, not on the command line: while the modules load, the heap only grows.
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  return openInSteps(async (closers) => {
    // The model takes longest: its process starts first and loads while the database opens.
    const loading = ownEngine ? Promise.resolve(ownEngine) : createEngine(config.engine, logger)
    closers.push(() => loading.then((engine) => engine.close()).catch(() => {}))
    const opening = openStores(config, logger, closers)
    // Waits for both before it fails, so that nothing is still opening when the rest is closed.
    await Promise.allSettled([opening, loading])
    return await serve(config, logger, await opening, await loading, closers)
  })
}

type Stores = Awaited<ReturnType<typeof openStores>>

async function openStores(config: Config, logger: Logger, closers: Closers) {
  const onUpgrade = () => logger.warn('upgrading the database, which may take minutes')
  const database = await openDatabase(config.dataDir, { serve: true, onUpgrade })
  closers.push(() => database.close())
  const ledger = Ledger.open(database, randomBytes(8).toString('hex'))
  const orphans = await ledger.closeOrphans()
  if (orphans > 0)
    logger.warn('entries of an earlier run were closed as server_crash', { count: orphans })
  const rateLimits = await RateLimits.open(database)
  const retention = Retention.start(database, { receiptDays: config.receiptDays, logger })
  closers.push(() => retention.close())
  const apiKeys = await ApiKeys.open(database)
  closers.push(() => apiKeys.close())
  requireKeyUnlessLoopback(config.host, apiKeys.size)
  return { database, ledger, rateLimits, apiKeys }
}

async function serve(
  config: Config,
  logger: Logger,
  { database, ledger, rateLimits, apiKeys }: Stores,
  engine: Engine,
  closers: Closers,
) {
  const admission = new Admission({ slots: engine.info.slots })
  const metrics = createMetrics(engine, admission)
  const metricsServer = createMetricsServer(metrics.registry)
  closers.push(() => metricsServer.close())
  const metricsPort = await metricsServer.listen(config.metrics)
  let url = ''
  const now = Date.now
  const panel = createPanel(config.panel, { database, apiKeys, logger, now, listenUrl: () => url })
  closers.push(() => panel.panelAuth.close())
  const stopping = new AbortController()
  const modelDescription = describeEngine(config.engine, engine.info)
  const app = createServer({
    engine,
    admission,
    ledger,
    rateLimits,
    apiKeys,
    metrics,
    logger,
    now,
    ...panel,
    idempotency: new Idempotency(ledger),
    stopping: stopping.signal,
    receipts: new Receipts(database),
    usageReport: new UsageReport(database),
    checkKey: (rawKey) => apiKeys.check(rawKey),
    panelFolder,
    modelDescription,
    modelCardPath: findModelCard(config.engine),
    readiness: () => ({
      engine: engine.state === 'ready',
      ledger: database.healthy,
      accepting: admission.open,
    }),
  })
  closers.push(() => closeServer(app))
  closers.push(async () => {
    if (await admission.close(config.graceMs)) return
    logger.warn('the grace period is over: running replies are cut', { count: admission.running })
    stopping.abort()
  })
  url = await listen(app, config)
  const setUpToken = await createSetUpLink(database, now())
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    /** One line on the model and its resources. */
    model: modelDescription,
    dataDir: config.dataDir,
    /** Set on the very first start only; the key is shown nowhere else. */
    firstKey: await createFirstKey(database, apiKeys),
    /** Where the first user is created, once; undefined if there is one. */
    setUpUrl: setUpToken && `${config.panel.publicUrl ?? url}/setup#${setUpToken}`,
    /** Aborts when nothing can be written durably any more: the service must be restarted. */
    failed: database.failed,
  }
}
