import { pino } from 'pino'
import { LogWriter } from './log-writer.ts'
import { prettyLine } from './pretty-line.ts'

/**
 * All fields of a log line. Prompts, replies, keys, bodies and query strings have no field, so they are never logged.
 */
export type LogFields = {
  requestId?: string
  accountId?: string
  keyId?: string
  method?: string
  /** The pattern of the route, never the requested URL. */
  route?: string
  status?: number
  code?: string
  outcome?: string
  stream?: boolean
  durationMs?: number
  promptTokens?: number
  completionTokens?: number
  pid?: number
  port?: number
  count?: number
  percent?: number
  /** The origin of an upstream engine. */
  upstream?: string
  reason?: string
  signal?: string
  /** Layers of the sandbox that the system supports, in a few words. */
  sandbox?: string | undefined
  /** A matrix that our kernels compute differently from llama.cpp, in a few words. */
  kernelsDifference?: string | undefined
  /** An error. Its name, message and stack are logged, and those of its causes. */
  error?: unknown
}

export type Logger = Record<
  'debug' | 'info' | 'warn' | 'error',
  (message: string, fields?: LogFields) => void
> & {
  /** Number of lines that could not be written; undefined if no line can be lost. */
  readonly dropped?: number
}

const fieldNames = [
  'requestId',
  'accountId',
  'keyId',
  'method',
  'route',
  'status',
  'code',
  'outcome',
  'stream',
  'durationMs',
  'promptTokens',
  'completionTokens',
  'pid',
  'port',
  'count',
  'percent',
  'upstream',
  'reason',
  'signal',
  'sandbox',
  'kernelsDifference',
] as const satisfies (keyof LogFields)[]

const causesMax = 5

/**
 * Creates a logger that writes JSON lines to standard error, or readable lines if that is a terminal. A slow or closed
 * reader never blocks the service.
 */
export function createLogger(level: string): Logger {
  const isColoured = (process.env['NO_COLOR'] ?? '') === ''
  // Reading `isTTY` also makes a pipe non-blocking, which the writer needs.
  const isTerminal = process.stderr.isTTY
  const writer = new LogWriter(2, (count) =>
    log.warn({ count }, 'log lines were dropped because standard error could not be written'),
  )
  const stream = {
    write: (line: string) => writer.write(isTerminal ? prettyLine(line, isColoured) : line),
  }
  const log = pino({ level, base: null, timestamp: isoTime }, stream)
  return {
    debug: (message, fields = {}) => log.debug(pick(fields), message),
    info: (message, fields = {}) => log.info(pick(fields), message),
    warn: (message, fields = {}) => log.warn(pick(fields), message),
    error: (message, fields = {}) => log.error(pick(fields), message),
    get dropped() {
      return writer.dropped
    },
  }
}

let lastMs = 0
let lastTime = ''

/** Returns the current time as a JSON member. Lines of the same millisecond share one text. */
function isoTime(): string {
  const nowMs = Date.now()
  if (nowMs !== lastMs) {
    lastMs = nowMs
    lastTime = `,"time":"${new Date(nowMs).toISOString()}"`
  }
  return lastTime
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Copies only the known fields, because types do not exclude others at run time. */
function pick(fields: LogFields): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const name of fieldNames) if (fields[name] !== undefined) picked[name] = fields[name]
  if (fields.error !== undefined) picked['error'] = describe(fields.error)
  return picked
}

function describe(error: unknown): object[] {
  const chain: object[] = []
  let current = error
  while (current instanceof Error && chain.length < causesMax) {
    chain.push({ name: current.name, message: current.message, stack: current.stack })
    current = current.cause
  }
  return chain.length > 0 ? chain : [{ message: String(error).slice(0, 200) }]
}
