import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../src/paths.ts'
import { freePort } from './llama-server.ts'

/** Longest wait for a start. vLLM loads PyTorch and compiles parts of itself, which takes 40 s on an idle machine. */
const startMsMax = 300_000
const stopMs = 20_000

/**
 * Returns the folder in which `bench/peers/vllm.sh` has installed vLLM and a model of random weights; undefined if
 * there is none.
 */
export function findVllm(): string | undefined {
  const cache = join(packageRoot, 'bench', '.cache')
  return (existsSync(cache) ? readdirSync(cache) : [])
    .filter((name) => name.startsWith('vllm-'))
    .map((name) => join(cache, name))
    .find((folder) => existsSync(join(folder, 'complete')))
}

/** Starts a real vLLM on the processor, on `ownPort`, or else on a free port. Its model is called `svc-o1-mini`. */
export async function startVllm(folder: string, ownPort?: number) {
  const port = ownPort ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const served = ['--served-model-name', 'svc-o1-mini', '--host', '127.0.0.1', '--port', `${port}`]
  const sizes = ['--max-model-len', '2048', '--max-num-seqs', '8', '--dtype', 'bfloat16']
  const tools = ['--enable-auto-tool-choice', '--tool-call-parser', 'hermes']
  const args = ['serve', join(folder, 'model'), ...served, ...sizes, ...tools, '--enforce-eager']
  // Computes on one core, so that vLLM's HTTP server still responds on a machine with two cores.
  const environment = {
    VLLM_CPU_KVCACHE_SPACE: '1',
    VLLM_CPU_OMP_THREADS_BIND: '0',
    VLLM_NO_USAGE_STATS: '1',
  }
  // Its own process group, so that `kill` also reaches the engine, which is a child of the server.
  const server = spawn(join(folder, 'bin', 'vllm'), args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let log = ''
  server.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-4000)))
  const closed = once(server, 'close')
  const kill = async () => {
    try {
      process.kill(-(server.pid ?? 0), 'SIGKILL')
    } catch {
      // The process has ended by itself.
    }
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, stopMs))])
  }
  const deadlineMs = performance.now() + startMsMax
  while ((await fetch(`${url}/health`).catch(() => undefined))?.ok !== true) {
    if (server.exitCode !== null || performance.now() > deadlineMs) {
      await kill()
      throw new Error(`vLLM does not start: ${log}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  const metric = async (name: string) => {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    return Number(new RegExp(`^vllm:${name}\\b.*\\} (\\S+)$`, 'm').exec(metrics)?.[1])
  }
  return {
    url,
    kill,
    /** Number of requests that generate now. */
    running: () => metric('num_requests_running'),
    /** Number of tokens generated for all requests so far. */
    generated: () => metric('generation_tokens_total'),
  }
}
