import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type {
  EmbeddedEngine,
  EmbeddedEngineOptions,
} from '../../../src/engine/embedded/embedded-engine.ts'
import { startEngine, temporaryFolder } from '../../support/engine/engine-fixtures.ts'

const child = fileURLToPath(new URL('lying-child.ts', import.meta.url))

type LyingEngine = {
  engine: EmbeddedEngine
  close: () => Promise<void>
  /** Returns the times at which the engine's processes began, in ms of the Unix epoch. */
  startsMs: () => number[]
}

/**
 * Starts an engine whose process runs `lying-child.ts`. For that, `process.execPath` names a launcher that ignores the
 * module in its arguments, until `close` restores the path.
 */
export async function startLyingEngine(
  options: EmbeddedEngineOptions = {},
  device: 'cpu' | 'gpu' = 'cpu',
): Promise<LyingEngine> {
  const node = process.execPath
  const folder = temporaryFolder()
  const launcher = join(folder.path, 'node')
  const starts = join(folder.path, 'starts')
  writeFileSync(launcher, `#!/bin/sh\nexec ${node} --no-warnings ${child} ${starts} ${device}\n`)
  chmodSync(launcher, 0o755)
  process.execPath = launcher
  const restore = () => {
    process.execPath = node
    folder.remove()
  }
  try {
    const engine = await startEngine(
      { modelPath: child, sandbox: false },
      // The heartbeat timeout is long, so that no process in these tests counts as hung.
      { restartBackoffMaxMs: 100, heartbeatTimeoutMs: 60_000, ...options },
    )
    return {
      engine,
      close: () => engine.close().finally(restore),
      startsMs: () => readFileSync(starts, 'utf8').trim().split('\n').map(Number),
    }
  } catch (error) {
    restore()
    throw error
  }
}
