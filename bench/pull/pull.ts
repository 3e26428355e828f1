import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openHub } from '../../src/models/hub/open-hub.ts'
import { pullModel } from '../../src/models/pull.ts'
import { parseReference } from '../../src/models/reference.ts'
import type { BenchOptions } from '../options.ts'
import { figure, progress, table } from '../report.ts'
import { fileName, repo } from './pulled-file.ts'

const execute = promisify(execFile)

const fileBytes = 1_000_000_000
/** Speeds of the hub in MB/s; 0 means no limit. */
const speeds = [100, 400, 0]

type Hub = Awaited<ReturnType<typeof startHub>>

/** Compares pulling a file from a hub on this machine with curl, which neither hashes nor checks the file. */
export async function benchPull({ rounds }: BenchOptions): Promise<string> {
  const hub = await startHub()
  const sides: [string, (folder: string) => Promise<void>][] = [
    ['curl', (folder) => downloadRaw(hub, folder)],
    ['Pipit', (folder) => pull(hub, folder)],
  ]
  const rows: string[][] = []
  try {
    for (const speed of speeds) {
      await hub.setSpeed(speed)
      const taken = new Map<string, number[]>(sides.map(([name]) => [name, []]))
      for (let round = 0; round < rounds; round++)
        for (const [name, download] of round % 2 === 0 ? sides : sides.toReversed()) {
          const rate = await measure(download)
          taken.get(name)?.push(rate)
          progress(`${speed} MB/s: ${name} ${rate.toFixed(0)} MB/s`)
        }
      const [raw = [], ours = []] = taken.values()
      const ratios = ours.map((rate, round) => rate / (raw[round] ?? NaN))
      const limit = speed === 0 ? 'none' : `${speed} MB/s`
      rows.push([limit, figure(raw, 0), figure(ours, 0), figure(ratios, 3)])
    }
  } finally {
    hub.close()
  }
  return [
    `A file of ${fileBytes / 1e6} MB from a hub in a process of its own, downloaded in turns: by curl, and by \`pullModel\`,`,
    'which asks the hub, looks at the file, hashes it and stores it. Both flush it to the disk. MB/s, median of',
    `${rounds} rounds (least–most); the ratio is that of each round. The goal is 0.95.`,
    '',
    table(['limit of the hub', 'curl', 'Pipit', 'ratio'], rows),
  ].join('\n')
}

async function startHub() {
  const program = fileURLToPath(new URL('hub-process.ts', import.meta.url))
  const child = fork(program, [String(fileBytes)], { execArgv: ['--no-warnings'] })
  const [{ url, storageUrl }] = await once(child, 'message')
  return {
    url: String(url),
    fileUrl: `${storageUrl}/${repo}/${fileName}`,
    async setSpeed(megabytes: number) {
      child.send(megabytes * 1e6)
      await once(child, 'message')
    },
    close: () => child.disconnect(),
  }
}

/** Returns the speed of one download into an empty folder, in MB/s. */
async function measure(download: (folder: string) => Promise<void>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-bench-pull-'))
  try {
    const startMs = performance.now()
    await download(folder)
    return fileBytes / 1e3 / (performance.now() - startMs)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function downloadRaw({ fileUrl }: Hub, folder: string): Promise<void> {
  const path = join(folder, fileName)
  await execute('curl', ['--silent', '--fail', '--output', path, fileUrl])
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}

async function pull({ url }: Hub, dataDir: string): Promise<void> {
  const hub = openHub({ HF_ENDPOINT: url })
  try {
    await pullModel(hub, parseReference(`hf:${repo}`), {
      dataDir,
      availableBytes: 2 * fileBytes,
      listener: { onPlan() {}, onBytes() {}, onPause() {} },
      signal: new AbortController().signal,
    })
  } finally {
    hub.http.close()
  }
}
