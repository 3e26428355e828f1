import {
  chmodSync,
  mkdirSync,
  existsSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  complete,
  randomModelIn,
  startEngine,
  temporaryFolder,
} from '../../support/engine/engine-fixtures.ts'
import { removeControlGroup } from '../../support/faults/remove-control-group.ts'
import { recordFinding } from '../../support/reliability.ts'

const restartBackoffMaxMs = 600
/** Memory of the cgroup, less than Node needs to start. */
const groupBytes = 8 * 1024 * 1024

const group = makeGroup()
const folder = temporaryFolder()
const starts = join(folder.path, 'starts')
/** While this file exists, the engine process starts in the cgroup. */
const shortage = join(folder.path, 'shortage')
const launcher = join(folder.path, 'node')
const node = process.execPath
// The engine process is started with `process.execPath`, so the test sets that to this launcher.
writeFileSync(
  launcher,
  `#!/bin/sh\ndate +%s%3N >> ${starts}\nif [ -e ${shortage} ]; then echo $$ > ${group}/cgroup.procs || exit 9; fi\nexec ${node} "$@"\n`,
)
chmodSync(launcher, 0o755)
afterAll(async () => {
  process.execPath = node
  folder.remove()
  if (group !== undefined) await removeControlGroup(group)
})

test('an engine process that is out of memory is restarted with backoff, the log names memory, and requests wait for it (F16)', async ({
  skip,
}) => {
  skip(group === undefined, 'this user may not make a cgroup with a limit of the memory')
  process.execPath = launcher
  const deaths: { ms: number; cause: string }[] = []
  const logger = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (_: string, fields?: { error?: unknown }) =>
      deaths.push({ ms: Date.now(), cause: String(fields?.error) }),
  }
  const engine = await startEngine(
    { modelPath: randomModelIn(folder.path), sandbox: false },
    { restartBackoffMaxMs, logger },
  )
  try {
    const { text } = await complete(engine, 'Hello')
    writeFileSync(shortage, '')
    process.kill(engine.pid ?? 0, 'SIGKILL')
    const waiting = complete(engine, 'Hello')
    await expect.poll(() => deaths.length, { timeout: 40_000 }).toBeGreaterThan(5)
    // The first kill was from outside. New requests are refused after the fifth one for memory.
    await expect(complete(engine, 'Hello')).rejects.toMatchObject({ code: 'model_loading' })
    rmSync(shortage)
    expect((await waiting).text).toBe(text)

    const [killed, ...short] = deaths
    expect(killed?.cause).toContain('the engine process died (SIGKILL')
    for (const { cause } of short)
      expect(cause).toContain(
        'SIGKILL: the kernel has just killed a process because memory was short',
      )
    // The first restart is immediate; each later one waits for at least half of the delay.
    const startedMs = readFileSync(starts, 'utf8').trim().split('\n').map(Number)
    const delaysMs = startedMs.slice(2).map((ms, index) => ms - (deaths[index + 1]?.ms ?? 0))
    expect(delaysMs).toHaveLength(short.length)
    for (const ms of delaysMs) expect(ms).toBeGreaterThanOrEqual(249)
    recordFinding(
      'F16',
      `With ${groupBytes / 2 ** 20} MiB for the engine process (cgroup), the kernel killed ${short.length} of them in a row; each restart came ${Math.min(...delaysMs)} ms after a kill, or later (longest backoff ${restartBackoffMaxMs} ms); the log named memory each time. A request that waited got its whole reply once there was memory.`,
    )
  } finally {
    await engine.close()
  }
}, 60_000)

/** Makes a cgroup with little memory and returns its path; undefined if this user may not make one. */
function makeGroup(): string | undefined {
  const isSecondVersion = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const root = isSecondVersion ? '/sys/fs/cgroup' : '/sys/fs/cgroup/memory'
  const path = join(root, `pipit-memory-${process.pid}`)
  const write = (file: string, text: string) => writeFileSync(join(path, file), text)
  try {
    mkdirSync(path)
    // Swap is off, because it would only make the process slow.
    if (isSecondVersion) write('memory.swap.max', '0')
    else write('memory.swappiness', '0')
    write(isSecondVersion ? 'memory.max' : 'memory.limit_in_bytes', String(groupBytes))
    return path
  } catch {
    if (existsSync(path)) rmdirSync(path)
    return undefined
  }
}
