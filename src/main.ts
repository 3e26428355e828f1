import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { ensureDefaultAccount } from './accounts/accounts.ts'
import { ApiKeys } from './accounts/api-keys.ts'
import { Attempts } from './people/attempts.ts'
import { createSetUpLink } from './people/one-time-links.ts'
import { PanelAccounts } from './people/panel-accounts.ts'
import { PanelAuth } from './people/panel-auth.ts'
import { Admission } from './completions/admission.ts'
import { Idempotency } from './completions/idempotency.ts'
import type { Config } from './config.ts'
import { createEngine, type RunningEngine } from './engine/create-engine.ts'
import { formatBytes } from './engine/format-bytes.ts'
import { StartError } from './errors.ts'
import { createMetricsServer } from './http/metrics-server.ts'
import { createServer } from './http/server.ts'
import {
  bufferSlabBytes,
  connectionsGraceMs,
  heapGrowthPercent,
  shutdownGraceMs,
} from './limits.ts'
import { panelFolder } from './paths.ts'
import { packageRoot } from './paths.ts'
import { openDatabase, type Database } from './storage/database.ts'
import type { Logger } from './telemetry/logger.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { Ledger } from './usage/ledger.ts'
import { RateLimits } from './usage/limits/rate-limits.ts'
import { Receipts } from './usage/receipts.ts'
import { Retention } from './usage/retention.ts'
import { UsageReport } from './usage/usage-report.ts'

export type Service = {
  readonly url: string
  readonly metricsUrl: string
  /** One line on the model and what it was given. */
  readonly model: string
  readonly dataDir: string
  /** Only on the very first start, and nowhere else again. */
  readonly firstKey: string | undefined
  /** Where the first user is made, once; undefined when there is one. */
  readonly setUpUrl: string | undefined
  /** Aborts when nothing can be written durably any more: the service must be started anew. */
  readonly failed: AbortSignal
  /** Running replies are finished within the grace period, then everything is given back. */
  close(): Promise<void>
}

/** What has been opened, and is closed in the opposite order. */
type Closers = (() => Promise<unknown> | void)[]

/**
 * The composition root. When a step fails, what the earlier ones opened is closed again.
 * @param ownEngine instead of the configured one
 * @throws StartError
 */
export async function startService(
  config: Config,
  logger: Logger,
  ownEngine?: RunningEngine,
): Promise<Service> {
  Buffer.poolSize = bufferSlabBytes
  // Here and not on the command line: while the modules are read the heap only grows.
  setFlagsFromString(`--heap-growing-percent=${heapGrowthPercent}`)
  const closers: Closers = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    const service = await start(config, logger, ownEngine, closers)
    return { ...service, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function start(
  config: Config,
  logger: Logger,
  ownEngine: RunningEngine | undefined,
  closers: Closers,
): Promise<Omit<Service, 'close'>> {
  // The model takes longest: its process starts first and loads while the database opens.
  const loading =
    ownEngine === undefined ? createEngine(config, logger) : Promise.resolve(ownEngine)
  closers.push(() => loading.then((engine) => engine.close()).catch(() => {}))
  const [database, engine] = await bothOrNeither(
    openDatabase(config.dataDir, {
      serve: true,
      onUpgrade: () => logger.warn('an upgrade of the database has begun: it may take minutes'),
    }).then((opened) => {
      closers.push(() => opened.close())
      return opened
    }),
    loading,
  )
  const ledger = Ledger.open(database, randomBytes(8).toString('hex'))
  const orphans = await ledger.closeOrphans()
  if (orphans > 0)
    logger.warn('entries of an earlier run were closed as server_crash', { count: orphans })
  const rateLimits = await RateLimits.open(database)
  const retention = Retention.start(database, { receiptDays: config.receiptDays, logger })
  closers.push(() => retention.close())
  const apiKeys = await ApiKeys.open(database)
  closers.push(() => apiKeys.close())
  if (!isLoopback(config.host) && apiKeys.size === 0)
    throw new StartError(
      `PIPIT_HOST is ${config.host}, which others can reach, and there is no API key yet: ` +
        'create one first with `npm run -s pipit -- keys create --name NAME`.',
    )

  const admission = new Admission({ slots: engine.info.slots })
  const stopping = new AbortController()
  const metrics = createMetrics({
    engine: () => ({
      ready: engine.state === 'ready',
      slots: engine.info.slots,
      restarts: engine.stats().restarts,
      guessedTokens: engine.stats().guessedTokens,
    }),
    admission: () => admission,
  })
  const metricsServer = createMetricsServer(metrics.registry)
  closers.push(() => metricsServer.close())
  const metricsPort = await metricsServer.listen(config.metrics)
  let url = ''
  const panel = createPanel(config, { database, logger, apiKeys, url: () => url })
  closers.push(() => panel.panelAuth.close())
  const app = createServer({
    engine,
    admission,
    idempotency: new Idempotency(ledger),
    ledger,
    rateLimits,
    apiKeys,
    usageReport: new UsageReport(database),
    engineStats: () => engine.stats(),
    modelDescription: describeModel(config, engine),
    modelCardPath: isBundledModel(config) ? join(packageRoot, 'model', 'MODEL_CARD.md') : undefined,
    receipts: new Receipts(database),
    metrics,
    logger,
    now: Date.now,
    stopping: stopping.signal,
    checkKey: (rawKey) => apiKeys.check(rawKey),
    checkSession: (headers) => panel.panelAuth.checkSession(headers),
    publicOrigin: config.panel.publicUrl,
    ...panel,
    panelFolder,
    readiness: () => ({
      engine: engine.state === 'ready',
      ledger: database.healthy,
      accepting: admission.open,
    }),
  })
  closers.push(() => closeServer(app))
  closers.push(async () => {
    if (await admission.close(shutdownGraceMs)) return
    logger.warn('the grace period is over: running replies are cut', { count: admission.running })
    stopping.abort()
  })
  url = await listen(app, config)
  const setUpToken = await createSetUpLink(database, Date.now())
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    model: describeModel(config, engine),
    dataDir: config.dataDir,
    firstKey: await createFirstKey(database, apiKeys),
    setUpUrl:
      setUpToken === undefined ? undefined : `${config.panel.publicUrl ?? url}/setup#${setUpToken}`,
    failed: database.failed,
  }
}

function createPanel(
  { panel: { publicUrl, signUp, oidc } }: Config,
  given: { database: Database; logger: Logger; apiKeys: ApiKeys; url: () => string },
) {
  const { database, logger, apiKeys } = given
  const common = { database, now: Date.now, signUp, url: () => publicUrl ?? given.url() }
  const panelAuth = new PanelAuth({
    ...common,
    logger,
    oidc,
  })
  const panelAccounts = new PanelAccounts({
    ...common,
    auth: panelAuth,
    accountChanged: (id) => apiKeys.refreshAccount(id),
  })
  const attempts = new Attempts(Date.now)
  return { panelAuth, panelAccounts, attempts, signUp, oidcName: oidc?.name }
}

/** Waits for both before it fails, so that nothing is still opening while things are being closed. */
async function bothOrNeither<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}

async function createFirstKey(database: Database, apiKeys: ApiKeys): Promise<string | undefined> {
  if ((await apiKeys.list()).length > 0) return undefined
  const account = await ensureDefaultAccount(database)
  const { key } = await apiKeys.create({ accountId: account.id, name: 'first key' })
  return key
}

/** Node waits for connections on which nothing was ever asked, which some clients keep in store. */
async function closeServer(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), connectionsGraceMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port })
  } catch (cause) {
    throw new StartError(`Port ${port} on ${host} cannot be opened: ${listenFault(cause)}.`, {
      cause,
    })
  }
  const { port: actualPort } = app.server.address() as AddressInfo
  const name = host === 'localhost' || isAnyAddress(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${actualPort}`
}

function listenFault(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  switch (code) {
    case 'EADDRINUSE':
      return 'it is in use; stop the other program or set PIPIT_PORT'
    case 'EACCES':
      return 'this user may not open it; set PIPIT_PORT to 1024 or above'
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address; set PIPIT_HOST'
    default:
      return code === '' ? String(cause) : code
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function isBundledModel({ engine, modelSha256 }: Config): boolean {
  return engine === 'embedded' && modelSha256 !== undefined
}

function describeModel(config: Config, engine: RunningEngine): string {
  const { slots, contextTokens, memory, device, fingerprint } = engine.info
  const room = `${count(slots, 'slot')} × ${contextTokens} tokens`
  if (memory === undefined || device === undefined)
    return `scripted engine · ${room} · ${fingerprint}`
  return [
    basename(config.modelPath),
    room,
    `KV cache ${config.kvType} ${formatBytes(memory.kvBytes)}`,
    device,
    count(config.threads, 'thread'),
    `${formatBytes(memory.availableBytes, Math.floor)} available`,
    fingerprint,
  ].join(' · ')
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
