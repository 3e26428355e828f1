import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../support/process.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question } from '../../support/service.ts'
import { say, startUpstream } from '../../support/upstream/scripted-upstream.ts'

const name = 'engine.test'
/** No server has this address, so that a resolver waits for its timeout. */
const noResolver = 'nameserver 10.255.255.1\n'

test("requests follow an upstream's name to another address, and are refused in bounded time while it cannot be resolved (F43)", async ({
  skip,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-names-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [hosts, resolver] = [join(folder, 'hosts'), join(folder, 'resolv.conf')]
  const resolveTo = (address: string | undefined) =>
    writeFileSync(hosts, address === undefined ? '' : `${address} ${name}\n`)
  writeFileSync(resolver, noResolver)
  resolveTo('127.0.0.2')
  const mounts = `mount --bind ${hosts} /etc/hosts && mount --bind ${resolver} /etc/resolv.conf`
  const launcher = ['unshare', '--mount', 'sh', '-c', `${mounts} && exec "$@"`, 'sh']
  const mayMount = spawnSync(launcher[0] ?? '', [...launcher.slice(1), 'true']).status === 0
  skip(!mayMount, 'this user may not replace /etc/hosts for a process')

  const first = await startUpstream({ script: say('From the first'), host: '127.0.0.2' })
  onTestFinished(() => first.close())
  const { port } = new URL(first.url)
  const second = await startUpstream({
    script: say('From the second'),
    host: '127.0.0.3',
    port: Number(port),
  })
  onTestFinished(() => second.close())
  const environment = {
    PIPIT_ENGINE: 'upstream',
    PIPIT_UPSTREAM_URLS: `http://${name}:${port}`,
    PIPIT_UPSTREAM_MODEL: 'real-model',
  }
  const service = await startProcess(environment, undefined, undefined, undefined, launcher)
  onTestFinished(() => service.dispose())
  const ask = async () => {
    const startMs = performance.now()
    const response = await service.post({ ...question, max_tokens: 8 })
    const reply = (await response.json()) as { choices?: { message: { content: string } }[] }
    const content = reply.choices?.[0]?.message.content
    return { status: response.status, content, ms: performance.now() - startMs }
  }
  const within = { timeout: 30_000, interval: 200 }
  await expect.poll(ask, within).toMatchObject({ status: 200, content: 'From the first' })

  const movedMs = performance.now()
  resolveTo('127.0.0.3')
  // Closes the open connections, which would stay in use. Only a new connection resolves the name.
  first.cut()
  await expect.poll(ask, within).toMatchObject({ status: 200, content: 'From the second' })
  const followedSeconds = (performance.now() - movedMs) / 1000

  resolveTo(undefined)
  second.cut()
  await expect.poll(ask, within).toMatchObject({ status: 503 })
  const refusals: number[] = []
  const others: number[] = []
  for (let i = 0; i < 20; i += 1) {
    const [refused, other] = await Promise.all([ask(), timeOf(`${service.url}/healthz`)])
    expect(refused.status).toBe(503)
    refusals.push(refused.ms)
    others.push(other)
  }
  expect(Math.max(...refusals)).toBeLessThan(5000)
  expect(Math.max(...others)).toBeLessThan(1000)

  resolveTo('127.0.0.3')
  await expect.poll(ask, within).toMatchObject({ status: 200, content: 'From the second' })
  recordFinding(
    'F43',
    `The name of an upstream got another address: a reply came from there after ${followedSeconds.toFixed(1)} s. While no resolver answered, ${refusals.length} requests got 503 within ${Math.max(...refusals).toFixed(0)} ms, and /healthz answered within ${Math.max(...others).toFixed(0)} ms.`,
  )
}, 180_000)

async function timeOf(url: string): Promise<number> {
  const startMs = performance.now()
  const response = await fetch(url)
  await response.text()
  return performance.now() - startMs
}
