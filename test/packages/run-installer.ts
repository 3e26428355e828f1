import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../src/paths.ts'

export const installer = join(packageRoot, 'deploy/install.sh')

type InstallerOptions = {
  readonly home: string
  readonly path?: string
  /** The user that runs the script, if the tests run as root. */
  readonly uid?: number
  readonly script?: string
}

/** Runs the script with a shell, as `curl … | sh` does, with only HOME and PATH in its environment. */
export async function runInstaller(args: readonly string[], options: InstallerOptions) {
  const { home, path = '/usr/bin:/bin', uid, script = installer } = options
  const child = spawn('/bin/sh', [script, ...args], {
    env: { HOME: home, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}
