import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { ApiKeys } from './accounts/api-keys.ts'
import { createFirstKey, hasApiKey } from './accounts/first-key.ts'
import { Admission } from './completions/admission/admission.ts'
import { parseWeights, type Weights } from './completions/admission/weights.ts'
import { Idempotency } from './completions/once/idempotency.ts'
import { type Closers, openInSteps } from './closers.ts'
import type { Config } from './config.ts'
import { describeEngine } from './engine/describe-engine.ts'
import type { Engine } from './engine/engine.ts'
import { allowedHosts, type IsAllowedHost } from './http/origin/allowed-hosts.ts'
import { drain, stopServing } from './http/connections/stop-serving.ts'
import { listen, requireKeyUnlessLoopback } from './http/listen.ts'
import { createMetricsServer } from './http/metrics-server.ts'
import { createServer } from './http/server.ts'
import { TlsCertificate } from './http/tls-certificate.ts'
import { bufferSlabBytes, heapGrowthPercent } from './limits.ts'
import { ModelAdministration } from './models/administration/model-administration.ts'
import { ServingModelReader } from './models/administration/serving-model.ts'
import { openHub } from './models/hub/open-hub.ts'
import { type Model, openModel } from './models/switching/open-model.ts'
import { panelFolder } from './paths.ts'
import { openCookieSecret } from './people/cookie-secret.ts'
import { createPanel } from './people/create-panel.ts'
import { createSetUpLink } from './people/one-time-links.ts'
import { openSpending } from './spending/open-spending.ts'
import { type Database, type DatabaseOptions, openDatabase } from './storage/database.ts'
import {
  alreadyServed,
  isServed,
  removeServiceFile,
  writeServiceFile,
} from './storage/service-file.ts'
import { tryLockDataDir } from './storage/sqlite/sqlite-file.ts'
import { type Logger, silentLogger } from './telemetry/logger.ts'
import { addClusterMetrics } from './telemetry/cluster-metrics.ts'
import {
  addLedgerMetrics,
  addLogMetrics,
  addTraceMetrics,
  createMetrics,
  startCounters,
  type Metrics,
} from './telemetry/metrics.ts'
import { SpanExporter } from './telemetry/tracing/span-exporter.ts'
import { Tracer } from './telemetry/tracing/tracer.ts'
import { allOutcomes } from './usage/outcome.ts'
import { LeasedLimits } from './usage/leases/leased-limits.ts'
import { Ledger } from './usage/ledger.ts'
import type { RateLimiter } from './usage/limits/rate-limiter.ts'
import { RateLimits } from './usage/limits/rate-limits.ts'
import { measureSpeed } from './usage/measured-speed.ts'
import { Replica } from './usage/replicas/replica.ts'
import { ReplicaOverview } from './usage/replicas/replica-overview.ts'
import { stopSignals } from './usage/replicas/stop-signals.ts'
import { Receipts } from './usage/receipts.ts'
import { ExpiryClock } from './usage/upkeep/expiry-clock.ts'
import { LedgerBudget } from './usage/upkeep/ledger-budget.ts'
import { sweepOrphans } from './usage/upkeep/orphan-sweep.ts'
import { Retention } from './usage/upkeep/retention.ts'
import { UsageReport } from './usage/usage-report.ts'
import { version } from './version.ts'

/** `lockWaitMs` is not a setting of the environment. */
type ServiceConfig = Config & Pick<DatabaseOptions, 'lockWaitMs'>

export type Service = Awaited<ReturnType<typeof startService>>

/**
 * Starts the service (composition root). The returned `close` lets running replies finish within the grace period.
 * @param ownEngine used instead of the configured engine
 * @param unchosen the settings before the choice of `models use` is applied; set if that command may change the model
 * @throws StartError
 */
export function startService(
  config: ServiceConfig,
  logger: Logger,
  ownEngine?: Engine,
  unchosen?: Config,
) {
  Buffer.poolSize = bufferSlabBytes
  // Not set on the command line: while the modules load, the heap only grows, so collections would not help.
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  return openInSteps(async (closers) => {
    const weights = parseWeights(config.weights)
    // Opening the database refuses this too, but only after the model has taken time and memory.
    if (config.databaseUrl === undefined && isServed(config.dataDir))
      throw alreadyServed(config.dataDir)
    // The model takes longest, so its process starts first and loads while the database opens.
    const loading = openModel(config, logger, ownEngine, unchosen)
    closers.push(() => loading.then((model) => model.close()).catch(() => {}))
    const opening = openStores(config, logger, closers)
    // Waits for both even if one fails, so that nothing is still opening while the rest is closed.
    await Promise.allSettled([opening, loading])
    const stores = await opening
    const model = await loading
    const service = await serve(config, logger, { ...stores, weights }, model, closers)
    closers.push(await model.followChoice())
    /** API key created on the very first start, by the last step that can fail: it is not shown anywhere else. */
    const firstKey = await createFirstKey(stores.database, stores.apiKeys)
    return { ...service, firstKey }
  })
}

/** Makes those checks of a start that need neither the model nor a port. @throws StartError as the start does */
export async function checkSettings(config: Config, hasKey: boolean | undefined): Promise<void> {
  parseWeights(config.weights)
  if (config.tls !== undefined) await TlsCertificate.open(config.tls, silentLogger)
  if (hasKey !== undefined) requireKeyUnlessLoopback(config.host, hasKey)
}

type Stores = Awaited<ReturnType<typeof openStores>>

async function openStores(config: ServiceConfig, logger: Logger, closers: Closers) {
  const onUpgrade = (progress: string) => logger.warn(progress)
  const database = await openDatabase(config.dataDir, {
    serve: true,
    url: config.databaseUrl,
    lockWaitMs: config.lockWaitMs,
    onUpgrade,
  })
  closers.push(() => database.close())
  const ownsDataDir = config.databaseUrl === undefined || claimDataDir(config.dataDir, closers)
  // A service that was killed leaves its file behind.
  if (ownsDataDir) removeServiceFile(config.dataDir)
  const clock = await ExpiryClock.open(database, { logger })
  const replica = await openReplica(config, database, logger, closers)
  const bootId = randomBytes(8).toString('hex')
  const ledger = Ledger.open(database, bootId, { logger, replica, expiryNow: () => clock.nowMs() })
  closers.push(() => ledger.close())
  const count = await ledger.closeOrphans()
  if (count > 0) logger.warn('entries of an earlier run were closed as server_crash', { count })
  closers.push(sweepOrphans(ledger, logger))
  const rateLimits = await openLimits(database, ledger, replica, closers)
  const retention = Retention.start(database, { receiptDays: config.receiptDays, logger, clock })
  closers.push(() => retention.close())
  const budget = LedgerBudget.start(database, {
    bytesMax: config.ledgerBytesMax,
    // Deleting rows does not shrink PostgreSQL's tables, so it cannot keep a size limit there.
    deletes: config.databaseUrl === undefined,
    logger,
  })
  closers.push(() => budget.close())
  const apiKeys = await ApiKeys.open(database)
  closers.push(() => apiKeys.close())
  requireKeyUnlessLoopback(config.host, await hasApiKey(database))
  const secret = await openCookieSecret(database, logger)
  return { database, ledger, budget, rateLimits, apiKeys, secret, replica, ownsDataDir }
}

/**
 * Takes the lock by which commands on this machine find the service. With PostgreSQL, several services may share a
 * directory for a while, such as during a rolling update: then commands find the one that holds the lock.
 */
function claimDataDir(dataDir: string, closers: Closers): boolean {
  const lock = tryLockDataDir(dataDir)
  closers.push(() => void lock?.close())
  return lock !== undefined
}

/** Returns the name that distinguishes this replica from others. */
function addressOf({ port }: Config): string {
  return `${hostname()}:${port}`
}

/** Returns the replica's name and overview, for the panel. */
function sharing(config: Config, database: Database, replica: Replica | undefined) {
  return { address: addressOf(config), shared: replica && new ReplicaOverview(database, replica) }
}

/** Registers the service as a replica if others may share its database. */
async function openReplica(
  config: Config,
  database: Database,
  logger: Logger,
  closers: Closers,
): Promise<Replica | undefined> {
  if (config.databaseUrl === undefined) return undefined
  const replica = await Replica.register(database, { address: addressOf(config), version, logger })
  closers.push(() => replica.close())
  replica.start()
  return replica
}

/** Opens limits that are counted in memory or, with replicas, leased from shared limits. */
async function openLimits(
  database: Database,
  ledger: Ledger,
  replica: Replica | undefined,
  closers: Closers,
): Promise<RateLimiter> {
  if (replica === undefined) return await RateLimits.open(database)
  const isOpen = (requestId: string) => ledger.holds(requestId)
  const limits = new LeasedLimits(database, { replica, isOpen })
  closers.push(() => limits.close())
  limits.start()
  return limits
}

async function serve(
  config: Config,
  logger: Logger,
  { weights, ...stores }: Stores & { weights: Weights },
  { engine, settings, modelSwitch }: Model,
  closers: Closers,
) {
  const { database, ledger, rateLimits, apiKeys, replica } = stores
  const admission = new Admission({ slots: engine.info.slots, weights })
  const network = await openNetwork(config, logger, closers)
  const metrics = createMetrics(engine, admission)
  startCounters(metrics, allOutcomes)
  addStoreMetrics(metrics, engine, stores)
  const metricsPort = await openMetrics(config, logger, metrics, network.isAllowedHost, closers)
  let url = ''
  const now = Date.now
  const panel = createPanel(config.panel, { ...stores, logger, now, listenUrl: () => url })
  closers.push(() => panel.panelAuth.close())
  const stopping = new AbortController()
  const stopSignal = stopSignals(stopping.signal, replica)
  const modelDescription = () => describeEngine(settings(), engine.info)
  const app = createServer({
    engine,
    admission,
    tracer: openTracer(config, logger, metrics, closers),
    ledger,
    rateLimits,
    apiKeys,
    metrics,
    logger,
    now,
    ...panel,
    completionTokens: config.completionTokens,
    tellsSchema: config.tellsSchema,
    ...network,
    idempotency: new Idempotency(ledger),
    get stopping() {
      return stopSignal()
    },
    receipts: new Receipts(database),
    usageReport: new UsageReport(database),
    ...startSpending(database, logger, closers),
    checkKey: (rawKey) => apiKeys.check(rawKey),
    panelFolder,
    modelDescription,
    ...sharing(config, database, replica),
    ...openModels(config, database, logger, { engine, settings, modelSwitch }, closers),
    measuredSpeed: (fingerprint) => measureSpeed(database, fingerprint),
    readiness: () => readinessOf(engine, stores, admission),
  })
  // Commands find the service until it has drained.
  if (stores.ownsDataDir) closers.push(() => removeServiceFile(config.dataDir))
  closers.push(() => stopServing(app, { admission, stopping, engine }, config.graceMs, logger))
  closers.push((hasStarted) => drain({ admission, database, hasStarted }, config.drainMs, logger))
  url = await listen(app, config)
  const setUpSecret = await createSetUpLink(database, now())
  return {
    url,
    ...announce(config, stores, { url, metricsPort }),
    /** One-line description of the model and its resources. */
    model: modelDescription(),
    dataDir: config.dataDir,
    /** One-time URL to create the first user; undefined if a user exists. */
    setUpUrl: setUpSecret && `${config.panel.publicUrl ?? url}/setup#${setUpSecret}`,
    /** The TLS certificate, if there is one. */
    certificate: network.certificate,
    /** Aborts when nothing can be written durably any more. The service must then be restarted. */
    failed: database.failed,
  }
}

function addStoreMetrics({ registry }: Metrics, engine: Engine, stores: Stores): void {
  addLedgerMetrics(registry, stores.ledger, stores.budget, stores.database)
  addClusterMetrics(registry, { engine, ...stores })
}

/** Adds the log's metrics, starts the metrics server and returns its port. */
async function openMetrics(
  config: Config,
  logger: Logger,
  { registry }: Metrics,
  isAllowedHost: IsAllowedHost,
  closers: Closers,
): Promise<number> {
  addLogMetrics(registry, logger)
  const metricsServer = createMetricsServer(registry, isAllowedHost)
  closers.push(() => metricsServer.close())
  return await metricsServer.listen(config.metrics)
}

/** Returns undefined if tracing is off. */
function openTracer(
  { tracing }: Config,
  logger: Logger,
  { registry }: Metrics,
  closers: Closers,
): Tracer | undefined {
  const exporter = tracing && new SpanExporter({ ...tracing, version, logger })
  addTraceMetrics(registry, () => exporter?.dropped ?? 0)
  if (tracing === undefined || exporter === undefined) return undefined
  closers.push(() => exporter.close())
  return new Tracer(tracing.sampling, (span) => exporter.add(span))
}

/** Opens prices, budgets and alerts. Starts to check budgets and to send alerts. */
function startSpending(database: Database, logger: Logger, closers: Closers) {
  const spending = openSpending(database, { logger })
  const { alertSender, budgetWatch } = spending
  closers.push(() => alertSender.close())
  closers.push(() => budgetWatch.close())
  alertSender.start()
  budgetWatch.start()
  return spending
}

function readinessOf(engine: Engine, { database, replica }: Stores, admission: Admission) {
  return {
    engine: engine.state === 'ready',
    // A replica that other replicas take for dead, such as one whose writes fail, gets no request.
    ledger: database.healthy && (replica?.isLive ?? true),
    accepting: admission.open,
  }
}

/** Tells commands on this machine the service's URL and which of their changes it has applied. */
function announce(
  config: Config,
  { apiKeys, ownsDataDir }: Pick<Stores, 'apiKeys' | 'ownsDataDir'>,
  { url, metricsPort }: { url: string; metricsPort: number },
) {
  const { dataDir, tls, panel } = config
  /** The URL to call. A certificate is rarely valid for the address that the service listens on. */
  const callUrl = (tls && panel.publicUrl) ?? url
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  const facts = { pid: process.pid, url: callUrl, metricsUrl, startedMs: Date.now() }
  if (ownsDataDir)
    apiKeys.onChangeMark((changeMark) => writeServiceFile(dataDir, { ...facts, changeMark }))
  return { callUrl, metricsUrl }
}

/** Opens the services behind the panel's model pages. */
function openModels(
  { dataDir }: Config,
  database: Database,
  logger: Logger,
  { engine, ...model }: Pick<Model, 'engine' | 'settings' | 'modelSwitch'>,
  closers: Closers,
) {
  const options = { dataDir, database, logger, openHub: () => openHub(process.env), ...model }
  const reader = new ServingModelReader(dataDir)
  const models = new ModelAdministration(options)
  closers.push(() => models.close())
  return { models, servingModel: () => reader.read(model.settings(), engine.info) }
}

/** Opens the network settings: trusted proxies, the service's host names, and the certificate. */
async function openNetwork(config: Config, logger: Logger, closers: Closers) {
  const { host, isTrustedProxy, allowedHosts: names, connectionsPerAddress } = config
  const { publicUrl } = config.panel
  const certificate = config.tls && (await TlsCertificate.open(config.tls, logger))
  closers.push(() => certificate?.close())
  const isAllowedHost = allowedHosts({ host, publicUrl, names, machineName: hostname() })
  return { isTrustedProxy, isAllowedHost, certificate, connectionsPerAddress }
}
