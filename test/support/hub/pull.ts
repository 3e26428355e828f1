import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openHub } from '../../../src/models/hub/open-hub.ts'
import { type PullOptions, pullModel } from '../../../src/models/pull.ts'
import { parseReference } from '../../../src/models/reference.ts'
import { folderOf } from '../../../src/models/store.ts'
import { LocalHub } from './local-hub.ts'

type Repositories = Parameters<typeof LocalHub.start>[0]

export async function startHub(repositories: Repositories): Promise<LocalHub> {
  const hub = await LocalHub.start(repositories)
  onTestFinished(() => hub.close())
  return hub
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-pull-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

type Changes = Partial<PullOptions> & { environment?: Record<string, string> }

/** Pulls as `models pull` does, with pauses of 1 ms between attempts. */
export async function pull(
  hub: { url: string },
  text: string,
  dataDir: string,
  changes: Changes = {},
) {
  const opened = openHub({ HF_ENDPOINT: hub.url, ...changes.environment }, 1)
  try {
    return await pullModel(opened, parseReference(text), {
      dataDir,
      availableBytes: 8e9,
      listener: { onPlan() {}, onBytes() {}, onPause() {} },
      signal: new AbortController().signal,
      ...changes,
    })
  } finally {
    opened.http.close()
  }
}

export function stored(dataDir: string, name: string, file: string): Buffer {
  return readFileSync(join(folderOf(dataDir, name), file))
}
