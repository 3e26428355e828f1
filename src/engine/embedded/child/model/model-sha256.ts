import { hash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { sha256OfFile } from './model-file.ts'
import { partPaths } from './model-header.ts'

/** Returns the checksum of all files of a model. Calls `onRead` with the share of their bytes read so far. */
export async function sha256OfModel(
  modelPath: string,
  onRead: (share: number) => void = () => {},
): Promise<string> {
  const paths = partPaths(modelPath)
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const digests: string[] = []
  let before = 0
  for (const [index, path] of paths.entries()) {
    digests.push(await sha256OfFile(path, (bytes) => onRead((before + bytes) / total)))
    before += sizes[index] ?? 0
  }
  return sha256OfParts(digests)
}

/**
 * Returns the checksum of a model from those of its files. One file has its own checksum. That of several files is the
 * one of a list with the checksum of each file in a line.
 */
export function sha256OfParts(digests: readonly string[]): string {
  const [only = ''] = digests
  if (digests.length === 1) return only
  return hash('sha256', digests.map((digest) => `${digest}\n`).join(''), 'hex')
}
