import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, writeManifest } from '../../../src/models/store.ts'
import { sha256Of } from '../hub/local-hub.ts'

/** Stores a model as `models pull` leaves it. */
export async function storeModel(dataDir: string, name: string, content: Buffer): Promise<void> {
  mkdirSync(folderOf(dataDir, name), { recursive: true })
  writeFileSync(join(folderOf(dataDir, name), 'm.gguf'), content)
  const files = [{ name: 'm.gguf', bytes: content.length, sha256: sha256Of(content) }]
  await writeManifest(dataDir, { name, source: 'hf:a/b', pulledMs: 0, files })
}
