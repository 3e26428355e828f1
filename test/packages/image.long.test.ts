import { execFile, execFileSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { askBundled } from './ask-bundled.mjs'

const execute = promisify(execFile)
const image = process.env['IMAGE'] ?? 'localhost/pipit'
/** The podman command and its options. A machine with cgroups v1, for example, needs the option `--runtime runc`. */
const [podmanProgram = '', ...podmanOptions] = (process.env['PODMAN'] ?? 'podman').split(' ')
const name = `pipit-test-${process.pid}`

const isThere = canInspect()
beforeEach(({ skip }) =>
  skip(!isThere, `podman has no image ${image}: npm run release && sh deploy/build-image.sh`),
)

/** Options as strict as those of compose.yaml; every machine allows these limits. */
const options = [
  '--read-only',
  '--read-only-tmpfs=false',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  `--volume=${name}:/data`,
  // Podman's health checks need systemd; the test runs the command of the health check itself.
  '--no-healthcheck',
  '--ulimit=nofile=1024:1024',
  '--ulimit=nproc=1000:1000',
]
let key = ''

beforeAll(async () => {
  if (!isThere) return
  const create = ['keys', 'create', '--name', 'first']
  const printed = await podman('run', '--rm', '--network=none', ...options, image, ...create)
  key = /^sk-pipit-\S+$/m.exec(printed)?.[0] ?? ''
})
afterAll(async () => {
  if (!isThere) return
  await podman('rm', '--force', '--ignore', name)
  await podman('volume', 'rm', '--force', name)
})

function canInspect(): boolean {
  try {
    execFileSync(podmanProgram, [...podmanOptions, 'image', 'exists', image], { stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

async function podman(...args: string[]): Promise<string> {
  const { stdout } = await execute(podmanProgram, [...podmanOptions, ...args])
  return stdout
}

/** Starts the service. Returns its address and the milliseconds from the start of its process until it is ready. */
async function start(): Promise<{ url: string; readyMs: number }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const publish = `--publish=127.0.0.1:${port}:8080`
  const started = podman('run', '--detach', '--name', name, ...options, publish, image)
  // podman returns some time after the start, so the test polls meanwhile.
  const [readyMs] = await Promise.all([readyAt(url), started])
  const [{ State }] = JSON.parse(await podman('inspect', name))
  return { url, readyMs: readyMs - Date.parse(State.StartedAt) }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function readyAt(url: string): Promise<number> {
  await expect.poll(() => isReady(url), { interval: 5 }).toBe(true)
  return Date.now()
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).status === 200
  } catch {
    return false
  }
}

/** Sends SIGTERM to process 1. Returns the exit code of the container. */
async function stop(): Promise<string> {
  await podman('kill', '--signal=TERM', name)
  const code = await podman('wait', name)
  await podman('rm', name)
  return code.trim()
}

test('the image serves as process 1 of user 10001 with a read-only root, and SIGTERM ends it with 0', async () => {
  const { url, readyMs } = await start()
  const shell = (script: string) => podman('exec', name, 'sh', '-c', script)
  expect(await shell("tr '\\0' ' ' </proc/1/cmdline")).toMatch(
    /^\/opt\/pipit\/bin\/node .* serve $/,
  )
  expect(await shell('stat -c %u:%g /proc/1')).toBe('10001:10001\n')
  for (const path of ['/', '/opt/pipit', '/etc'])
    await expect(shell(`touch ${path}/new`)).rejects.toThrow('Read-only file system')
  await shell('touch /data/new')
  const [{ Healthcheck }] = JSON.parse(await podman('image', 'inspect', image))
  const [, ...healthCheck] = Healthcheck.Test as string[]
  await podman('exec', name, ...healthCheck)
  expect(await askBundled(url, key)).toContain('svc-o1-mini, a small language model')
  expect(await stop()).toBe('0')
  console.log(`ready ${readyMs} ms after the start of the container`)
}, 120_000)

test('the image has at most 250 MB', async () => {
  const [{ Size }] = JSON.parse(await podman('image', 'inspect', image))
  console.log(`the image has ${(Size / 1e6).toFixed(1)} MB`)
  expect(Size).toBeLessThan(250e6)
})

test('later starts of the image are ready as well', async () => {
  const times: number[] = []
  for (let starts = 0; starts < 5; starts += 1) {
    const { readyMs } = await start()
    times.push(readyMs)
    expect(await stop()).toBe('0')
  }
  console.log(`ready after ${times.join(', ')} ms`)
}, 120_000)
