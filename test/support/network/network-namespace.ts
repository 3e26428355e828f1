import { execFileSync, spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

export const noNamespaces = 'this user may not create network namespaces, or iproute2 is missing'

/**
 * Most bytes that the system buffers for a connection. The limit is small, so that a slow network slows the service's
 * writes.
 */
const sendBufferBytes = 16_384

/**
 * A network namespace, connected to the test's by a virtual cable whose traffic can be slowed down or dropped. The
 * traffic passes through all network functions of Linux.
 */
export class NetworkNamespace {
  /** The address at which the test reaches processes in the namespace. */
  readonly address: string
  readonly #name: string
  readonly #gateway: string

  private constructor() {
    const number = randomInt(1, 16_384)
    this.#name = `pipit${number}`
    const [third, fourth] = [number >> 6, (number & 63) << 2]
    this.#gateway = `10.231.${third}.${fourth + 1}`
    this.address = `10.231.${third}.${fourth + 2}`
  }

  /** Creates a namespace; returns undefined where this is not possible. */
  static create(): NetworkNamespace | undefined {
    const namespace = new NetworkNamespace()
    try {
      namespace.#setUp()
      return namespace
    } catch {
      namespace.remove()
      return undefined
    }
  }

  /** Prefix that makes a command run in the namespace. The command keeps the process id of the prefix. */
  get launcher(): string[] {
    return ['ip', 'netns', 'exec', this.#name]
  }

  /** Limits what the namespace sends to the test, in bits per second. */
  limitRate(bits: number): void {
    const limit = ['tbf', 'rate', `${bits}bit`, 'burst', '16k', 'latency', '400ms']
    this.#run(['tc', 'qdisc', 'add', 'dev', this.#inner, 'root', ...limit])
  }

  /** Drops this percentage of the TCP packets that the namespace sends. Returns false if `nft` is not installed. */
  dropPackets(percent: number): boolean {
    if (spawnSync('nft', ['--version']).status !== 0) return false
    this.#run(['nft', 'add', 'table', 'inet', 'loss'])
    const hook = '{ type filter hook output priority 0; }'
    this.#run(['nft', `add chain inet loss sent ${hook}`])
    const rule = `meta l4proto tcp numgen random mod 100 < ${percent} counter drop`
    this.#run(['nft', `add rule inet loss sent ${rule}`])
    return true
  }

  /** The number of packets that were dropped. */
  get dropped(): number {
    const text = execFileSync('ip', ['netns', 'exec', this.#name, 'nft', 'list', 'ruleset'])
    return Number(/packets (\d+)/.exec(text.toString())?.[1])
  }

  /** Resets all connections of the namespace, at both ends. */
  resetConnections(): void {
    this.#run(['ss', '--kill', '--tcp', 'state', 'established'])
  }

  remove(): void {
    spawnSync('ip', ['netns', 'del', this.#name])
    // Deletes the cable if it still exists. That deletes both of its ends.
    spawnSync('ip', ['link', 'del', this.#outer])
  }

  get #outer(): string {
    return `${this.#name}o`
  }

  get #inner(): string {
    return `${this.#name}i`
  }

  #setUp(): void {
    const [name, outer, inner] = [this.#name, this.#outer, this.#inner]
    const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'ignore' })
    ip('netns', 'add', name)
    ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner, 'netns', name)
    ip('addr', 'add', `${this.#gateway}/30`, 'dev', outer)
    ip('link', 'set', outer, 'up')
    ip('-n', name, 'addr', 'add', `${this.address}/30`, 'dev', inner)
    ip('-n', name, 'link', 'set', inner, 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    const bytes = `4096 ${sendBufferBytes} ${sendBufferBytes}`
    this.#run(['sysctl', '-w', `net.ipv4.tcp_wmem=${bytes}`])
  }

  #run(command: string[]): void {
    execFileSync('ip', ['netns', 'exec', this.#name, ...command], { stdio: 'ignore' })
  }
}
