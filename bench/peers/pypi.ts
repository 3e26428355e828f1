import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * Installs a program from PyPI at the first call. Returns its path.
 * @param extra optional dependencies to install with it
 * @throws Error if it cannot be installed
 */
export function installFromPypi(name: string, version: string, extra?: string): string {
  const install = fileURLToPath(new URL('pypi.sh', import.meta.url))
  const args = extra === undefined ? [name, version] : [name, version, extra]
  return execFileSync(install, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).trim()
}
