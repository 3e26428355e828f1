import { type ApiKeyRecord, listApiKeys } from '../../accounts/api-key-store.ts'
import { StartError } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { findRunningService } from '../../storage/service-file.ts'
import { commandLine } from '../../paths.ts'

const answerMs = 5_000
const metricsCharsMax = 1024 * 1024

/** Counters of the service, read at one time. */
type Sample = {
  atMs: number
  url: string
  startedMs: number
  pid: number
  ready: boolean
  slots: number
  running: number
  waiting: number
  restarts: number
  promptTokens: number
  completionTokens: number
  completed: number
  notCompleted: number
  memoryBytes: number
}

export type Status = Omit<Sample, 'atMs'> & {
  /** Average rates since the earlier sample; 0 if there is none, or if the service has restarted since then. */
  promptTokensPerSecond: number
  completionTokensPerSecond: number
  keys: {
    active: number
    /** Keys by last use, latest first. */
    lastUsed: { name: string; id: string; lastUsedMs: number | undefined }[]
  }
}

/**
 * Reads the counters of the service that runs on the data directory.
 * @throws StartError, also if the signal aborts
 */
export async function readSample(dataDir: string, signal: AbortSignal): Promise<Sample> {
  const service = findRunningService(dataDir)
  if (service === undefined)
    throw new StartError(
      `No service runs on ${dataDir}. Start it with ${commandLine === 'pipit' ? '`pipit serve`' : '`npm start`'}, or set PIPIT_DATA_DIR to its directory.`,
    )
  const { url, startedMs, pid, metricsUrl } = service
  const values = parseMetrics(await fetchMetrics(metricsUrl, signal))
  const valueOf = (name: string) => values.get(name) ?? 0
  const completed = valueOf('pipit_completions_total completed')
  const length = valueOf('pipit_completions_total length')
  return {
    atMs: performance.now(),
    url,
    startedMs,
    pid,
    ready: valueOf('pipit_engine_ready') === 1,
    slots: valueOf('pipit_engine_slots'),
    running: valueOf('pipit_requests_running'),
    waiting: valueOf('pipit_requests_waiting'),
    restarts: valueOf('pipit_engine_restarts_total'),
    promptTokens: valueOf('pipit_engine_prompt_tokens_total'),
    completionTokens: valueOf('pipit_engine_completion_tokens_total'),
    completed: completed + length,
    notCompleted: valueOf('pipit_completions_total') - completed - length,
    memoryBytes: valueOf('process_resident_memory_bytes'),
  }
}

export async function readKeys(database: Database, shownMax: number): Promise<Status['keys']> {
  const active = (await listApiKeys(database, Date.now())).filter(({ state }) => state === 'active')
  const usedMs = ({ lastUsedMs = 0 }: ApiKeyRecord) => lastUsedMs
  const latest = active.toSorted((a, b) => usedMs(b) - usedMs(a)).slice(0, shownMax)
  return {
    active: active.length,
    lastUsed: latest.map(({ name, id, lastUsedMs }) => ({ name, id, lastUsedMs })),
  }
}

/** Returns the state at the later sample, with the average token rates between the two. */
export function toStatus(before: Sample, { atMs, ...now }: Sample, keys: Status['keys']): Status {
  const seconds = (atMs - before.atMs) / 1000
  // After a restart, the service's counters begin at 0 again.
  const isSame = before.startedMs === now.startedMs && seconds > 0
  const speed = (tokens: number) => (isSame ? Math.round((tokens / seconds) * 10) / 10 : 0)
  return {
    ...now,
    promptTokensPerSecond: speed(now.promptTokens - before.promptTokens),
    completionTokensPerSecond: speed(now.completionTokens - before.completionTokens),
    keys,
  }
}

async function fetchMetrics(metricsUrl: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(metricsUrl, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    })
    return (await response.text()).slice(0, metricsCharsMax)
  } catch (error) {
    throw new StartError(
      `The service does not answer at ${metricsUrl}. See its log, or restart it.`,
      {
        cause: error,
      },
    )
  }
}

/**
 * Returns the values of the metrics by name. The key `name` has the sum over all labels. The key `name value` has the
 * sum for one value of the label.
 */
function parseMetrics(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>()
  const add = (name: string, value: number) => values.set(name, (values.get(name) ?? 0) + value)
  for (const line of text.split('\n')) {
    const [, name, label, value] = /^(\w+)(?:\{\w+="([^"]*)"\})? (\S+)$/.exec(line) ?? []
    if (name === undefined) continue
    add(name, Number(value))
    if (label !== undefined) add(`${name} ${label}`, Number(value))
  }
  return values
}
