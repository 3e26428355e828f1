import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { StartError } from '../errors.ts'
import { codeOf } from './storage-fault.ts'

/** Facts about the service that runs on a data directory, for commands on the same machine. */
export type RunningService = {
  pid: number
  /** The address to call. */
  url: string
  metricsUrl: string
  startedMs: number
  /** Latest mark of other processes' changes that the service has read; see change-mark.ts. */
  changeMark: number
}

/** Writes the facts atomically. A failure is ignored: commands then see the earlier facts, or no service. */
export function writeServiceFile(dataDir: string, service: RunningService): void {
  const path = pathIn(dataDir)
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify(service)}\n`, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  } catch {
    // The disk is full or read-only. The service works without the file.
  }
}

export function removeServiceFile(dataDir: string): void {
  try {
    rmSync(pathIn(dataDir), { force: true })
  } catch {
    // The directory became read-only. Commands see from the released lock that the service is gone.
  }
}

/** Returns the service that runs on the directory; undefined if none does, or if it is still starting. */
export function findRunningService(dataDir: string): RunningService | undefined {
  if (!isServed(dataDir)) return undefined
  try {
    const read: unknown = JSON.parse(readFileSync(pathIn(dataDir), 'utf8'))
    return isRunningService(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Returns true while a process holds the directory's lock. The lock is released however the process ends. */
export function isServed(dataDir: string): boolean {
  let lock: Sqlite.Database | undefined
  try {
    lock = new Sqlite(join(dataDir, 'serve.lock'), { readonly: true, timeout: 0 })
    lock.pragma('schema_version')
    return false
  } catch (error) {
    return codeOf(error).startsWith('SQLITE_BUSY')
  } finally {
    lock?.close()
  }
}

export function alreadyServed(dataDir: string): StartError {
  return new StartError(
    `Another pipit process serves from ${dataDir}. Stop it, or set PIPIT_DATA_DIR to another directory.`,
  )
}

function isRunningService(value: unknown): value is RunningService {
  if (typeof value !== 'object' || value === null) return false
  const { pid, url, metricsUrl, startedMs, changeMark } = value as Record<string, unknown>
  const [urls, numbers] = [
    [url, metricsUrl],
    [pid, startedMs, changeMark],
  ]
  return (
    urls.every((one) => typeof one === 'string' && URL.canParse(one)) &&
    numbers.every((one) => Number.isSafeInteger(one))
  )
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'service.json')
}
