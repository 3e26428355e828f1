import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Id of a user other than root, for tests that run as root. */
export const ordinaryUser = 10_001

const isRoot = process.getuid?.() === 0
const asUser = isRoot
  ? ['setpriv', `--reuid=${ordinaryUser}`, `--regid=${ordinaryUser}`, '--clear-groups']
  : []

const newNetwork = isRoot ? ['--net'] : ['--map-root-user', '--net']
const dropRights = isRoot
  ? asUser
  : ['unshare', `--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`]
const loopbackUp = 'ip link set lo up && exec "$@"'
/** Prefix that makes a command run without any rights, in a network of its own with only the loopback interface. */
const withoutNetwork = ['unshare', ...newNetwork, 'sh', '-c', loopbackUp, 'sh', ...dropRights]

/** Returns whether this machine lets a test cut the network of a command. */
export function canCutNetwork(): boolean {
  try {
    const [command = '', ...args] = withoutNetwork
    execFileSync(command, [...args, 'true'], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

type UserOptions = {
  readonly cwd: string
  readonly env: Record<string, string>
  readonly network: boolean
}

/** Runs a command as an ordinary user, without the test's environment. Returns its standard output. */
export async function runAsUser(
  command: readonly string[],
  { cwd, env, network }: UserOptions,
): Promise<string> {
  const [program = '', ...args] = [...(network ? asUser : withoutNetwork), ...command]
  const { stdout } = await execute(program, args, { cwd, env })
  return stdout
}
