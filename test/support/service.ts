import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import BetterSqlite3 from 'better-sqlite3'
import { type Config, loadConfig } from '../../src/config.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { startService } from '../../src/main.ts'
import { silentLogger, type LogFields, type Logger } from '../../src/telemetry/logger.ts'
import { noteOnFailure } from '../setup/failure-notes.ts'
import { copyMigratedDatabase } from './migrated-database.ts'
import { newServiceDatabase, readPostgresLedger } from './postgres/service-database.ts'
import { dropDatabase } from './postgres/start-postgres.ts'

const warningsMax = 6

export type TestService = Awaited<ReturnType<typeof startTestService>>
type Stream = {
  status: number
  headers: Headers
  /** Parsed `data:` lines without `[DONE]`. */
  events: StreamEvent[]
  /** The joined text of the first choice's deltas. */
  text: string
  done: boolean
  raw: string
}
type StreamEvent = {
  choices: { delta: { role?: string; content?: string }; finish_reason: string | null }[]
  usage?: unknown
  error?: { code: string; type: string; message: string }
  [name: string]: unknown
}

export const question = {
  model: 'svc-o1-mini',
  messages: [{ role: 'user', content: 'What is a pipit?' }],
}

type TestServiceOptions = {
  engine?: Engine
  environment?: Record<string, string>
  dataDir?: string
  logger?: Logger
  /** Serves the model that `models use` chose, and can switch to another one while it runs. */
  isSwitchable?: boolean
  /** Memory that all models together may use, instead of this machine's available memory. */
  availableBytes?: number
  /** Time that a write waits for another process's lock of the database. */
  lockWaitMs?: number
}

/**
 * Starts the whole service on free ports with its own data: real sockets, real SQLite, or real PostgreSQL in projects
 * that use `services-on-postgres.ts`.
 */
export async function startTestService(options: TestServiceOptions = {}) {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'pipit-test-'))
  const isNew =
    options.dataDir === undefined && options.environment?.['PIPIT_DATABASE_URL'] === undefined
  const databaseUrl = isNew ? await newServiceDatabase() : undefined
  if (isNew && databaseUrl === undefined) await copyMigratedDatabase(dataDir)
  const loaded = loadConfig({
    PIPIT_ENGINE: 'scripted',
    PIPIT_PORT: '0',
    PIPIT_METRICS_PORT: '0',
    PIPIT_DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { PIPIT_DATABASE_URL: databaseUrl }),
    ...options.environment,
  })
  const config = { ...loaded, lockWaitMs: options.lockWaitMs }
  if (options.availableBytes !== undefined) planWith(config, options.availableBytes)
  const unchosen = options.isSwitchable === true ? config : undefined
  const { engine } = options
  const warnings: string[] = []
  const { logger = keepWarnings(warnings) } = options
  const service = await startService(config, logger, engine, unchosen)
  const forget = noteOnFailure(() => warnings.join('\n'))
  const key = service.firstKey ?? ''
  const { url } = service

  const request = (path: string, init: RequestInit & { key?: string | null } = {}) => {
    const headers = new Headers(init.headers)
    if (init.key !== null) headers.set('authorization', `Bearer ${init.key ?? key}`)
    return fetch(url + path, { ...init, headers })
  }
  const post = (body: unknown, init: RequestInit & { key?: string | null; path?: string } = {}) =>
    request(init.path ?? '/v1/chat/completions', {
      method: 'POST',
      ...init,
      headers: { 'content-type': 'application/json', ...(init.headers as object) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return {
    url,
    key,
    dataDir,
    /** URL of the service's PostgreSQL; undefined where it uses SQLite. */
    databaseUrl,
    /** Variables with which a command uses the same database. */
    environment: {
      PIPIT_DATA_DIR: dataDir,
      ...(databaseUrl !== undefined && { PIPIT_DATABASE_URL: databaseUrl }),
    },
    metricsUrl: service.metricsUrl,
    setUpUrl: service.setUpUrl,
    request,
    post,
    /** Reads a stream until it ends or the connection closes. */
    stream: async (body: object, init: RequestInit & { key?: string; path?: string } = {}) =>
      readStream(await post({ ...body, stream: true }, init)),
    /** Reads the ledger through a connection of its own. */
    ledgerRows: () =>
      databaseUrl === undefined ? readSqliteLedger(dataDir) : readPostgresLedger(databaseUrl),
    close: async () => {
      forget()
      await service.close()
      if (databaseUrl !== undefined) await dropDatabase(databaseUrl)
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function readSqliteLedger(dataDir: string): Record<string, unknown>[] {
  const database = new BetterSqlite3(join(dataDir, 'pipit.db'), { readonly: true })
  try {
    return database.prepare('select * from usage order by created_ms').all() as Record<
      string,
      unknown
    >[]
  } finally {
    database.close()
  }
}

/** Keeps the last warnings and errors, for the report of a failed test. */
function keepWarnings(lines: string[]): Logger {
  const keep = (message: string, fields?: LogFields) => {
    lines.push(`${message} ${inspect(fields, { breakLength: Infinity })}`)
    if (lines.length > warningsMax) lines.shift()
  }
  return { ...silentLogger, warn: keep, error: keep }
}

/** Sets the available memory directly, because it has no setting. */
function planWith(config: Config, availableBytes: number): void {
  Object.assign(config.engine, { availableBytes })
}

export async function readStream(response: Response): Promise<Stream> {
  let raw = ''
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for await (const bytes of response.body ?? []) raw += decoder.decode(bytes, { stream: true })
  } catch {
    // The connection closed early; the text that has arrived is kept.
  }
  // A connection that closes early can leave an incomplete line at the end.
  const whole = raw.split('\n').slice(0, -1)
  const lines = whole.filter((line) => line.startsWith('data: '))
  const payloads = lines.map((line) => line.slice('data: '.length))
  const events = payloads
    .filter((text) => text !== '[DONE]')
    .map((text) => JSON.parse(text) as StreamEvent)
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: events.map((event) => event.choices[0]?.delta.content ?? '').join(''),
    done: payloads.at(-1) === '[DONE]',
    raw,
  }
}
