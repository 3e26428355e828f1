import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { NetworkNamespace } from '../../support/network/network-namespace.ts'

const script = fileURLToPath(new URL('serve.ts', import.meta.url))

type Options = { slots: number; words: number; tokensPerSecond?: number }

/** Starts a service with the scripted engine in the namespace, in a process of its own. */
export async function startWithin(network: NetworkNamespace, options: Options) {
  const { slots, words, tokensPerSecond = 0 } = options
  const numbers = { slots, words, 'tokens-per-second': tokensPerSecond }
  const args = Object.entries(numbers).map(([name, value]) => `--${name}=${value}`)
  const command = [process.execPath, '--no-warnings', script, `--host=${network.address}`, ...args]
  const [program = '', ...rest] = [...network.launcher, ...command]
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = (await Promise.race([once(child.stdout, 'data'), exited])) as [Buffer | number]
  if (!(line instanceof Buffer)) throw new Error(`the service ended with ${String(line)}`)
  const address = JSON.parse(line.toString()) as Record<'url' | 'key' | 'dataDir', string>
  const { url, key, dataDir } = address
  return {
    pid: child.pid ?? 0,
    dataDir,
    post: (body: object) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    /** Ends the service, and kills it if it still runs after 10 s. */
    dispose: async () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      child.stdin.end()
      await exited
      clearTimeout(timer)
    },
  }
}
