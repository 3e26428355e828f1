import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { isServed } from '../../../src/storage/service-file.ts'
import { childrenOf, newDataDir, startProcess } from '../../support/process.ts'

test('SIGTERM ends a service that is starting (F14)', async () => {
  const dataDir = newDataDir()
  const file = new Sqlite(join(dataDir, 'pipit.db'))
  file.exec('create table t (x); begin exclusive')
  try {
    const before = childrenOf(process.pid)
    const starting = startProcess({ PIPIT_ENGINE: 'scripted' }, dataDir)
    starting.catch(() => {})
    // From here on, it waits for the database.
    await expect.poll(() => isServed(dataDir)).toBe(true)
    const pids = childrenOf(process.pid).filter((pid) => !before.includes(pid))
    for (const pid of pids) process.kill(pid, 'SIGTERM')
    await expect(starting).rejects.toThrow('ended with 143')
  } finally {
    file.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
