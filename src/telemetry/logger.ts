import { pino } from 'pino'
import { LogWriter } from './log-writer.ts'
import { prettyLine } from './pretty-line.ts'

/** All fields of a log line. There is none for prompts, replies, keys, bodies and query strings. */
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
  /** The layers of the sandbox that the system has, in a few words. */
  sandbox?: string | undefined
  /** A matrix that our kernels compute differently from llama.cpp, in a few words. */
  kernelsDifference?: string | undefined
  /** Logged with its name, message and stack, and those of its causes. */
  error?: unknown
}

export type Logger = Record<
  'debug' | 'info' | 'warn' | 'error',
  (message: string, fields?: LogFields) => void
> & {
  /** Lines that could not be written; undefined where none can be lost. */
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
 * Writes JSON lines to standard error, or lines for a person if that is a terminal. A slow or closed reader never blocks
 * the service.
 */
export function createLogger(level: string): Logger {
  const isColoured = (process.env['NO_COLOR'] ?? '') === ''
  // Reading `isTTY` also makes a pipe non-blocking, as the writer needs it.
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

/** Writes the time only once for the lines of one millisecond. */
function isoTime(): string {
  const nowMs = Date.now()
  if (nowMs !== lastMs) {
    lastMs = nowMs
    lastTime = `,"time":"${new Date(nowMs).toISOString()}"`
  }
  return lastTime
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Copies the known fields: at run time the types do not keep others out. */
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
