import { resolve } from 'node:path'

/**
 * Resolves a path from the command line. `npm run` changes to the package's folder and keeps the user's folder in
 * INIT_CWD.
 */
export function fromUserFolder(path: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env
  return script === 'pipit' && folder !== undefined ? resolve(folder, path) : resolve(path)
}
