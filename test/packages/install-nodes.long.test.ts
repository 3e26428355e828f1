import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { writePackages } from '../../tools/package/main.mjs'
import { canCutNetwork, ordinaryUser, runAsUser } from './ordinary-user.ts'

const nodes: Record<string, string> = {
  22: join(packageRoot, 'test/nodes/node_modules/node-22/bin/node'),
  24: join(packageRoot, 'node_modules/node/bin/node'),
  26: join(packageRoot, 'test/nodes/node_modules/node-26/bin/node'),
}
const isComplete = Object.values(nodes).every((path) => existsSync(path))
const isLinux = process.platform === 'linux' && process.arch === 'x64'
beforeEach(({ skip }) => {
  skip(!isLinux, 'test/nodes has the Nodes of Linux on x64')
  skip(!isComplete, 'the other Nodes are not installed: npm ci --prefix test/nodes')
})

const place = mkdtempSync(join(tmpdir(), 'pipit-install-'))
const cache = join(place, 'cache')
const script = join(place, 'first-reply.mjs')
const isCut = canCutNetwork()
let tarballs: string[] = []
/** Debian's certificates, with those that the machine's owner has added for a registry. */
const certificates = '/etc/ssl/certs/ca-certificates.crt'

beforeAll(async () => {
  if (!isLinux || !isComplete) return
  chmodSync(place, 0o755)
  tarballs = (await writePackages({ out: join(place, 'packages') })).map((path) => {
    const copy = join(place, basename(path))
    copyFileSync(path, copy)
    return copy
  })
  for (const name of ['first-reply.mjs', 'ask-bundled.mjs'])
    copyFileSync(join(import.meta.dirname, name), join(place, name))
  for (const [line, path] of Object.entries(nodes)) {
    // Copies Node, because the ordinary user may have no access to the folders of the clone.
    mkdirSync(join(place, `node-${line}`))
    copyFileSync(path, join(place, `node-${line}/node`))
  }
  newFolder(cache)
  // Fills npm's cache, because all later steps run without a network.
  const fill = ['npm', 'install', '--ignore-scripts', ...tarballs]
  await runAsUser(fill, { ...userIn(newFolder(join(place, 'fill')), '24'), network: true })
}, 300_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

function newFolder(path: string): string {
  mkdirSync(path)
  if (process.getuid?.() === 0) chownSync(path, ordinaryUser, ordinaryUser)
  return path
}

/** Returns a user whose home is `folder` and whose PATH begins with one Node. */
function userIn(folder: string, line: string) {
  const env = {
    HOME: folder,
    PATH: `${join(place, `node-${line}`)}:/usr/local/bin:/usr/bin:/bin`,
    npm_config_cache: cache,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    NODE_EXTRA_CA_CERTS: certificates,
    PIPIT_PORT: '0',
    PIPIT_METRICS_PORT: '0',
  }
  return { cwd: folder, env, network: !isCut }
}

const combinations = Object.keys(nodes).flatMap((line) => [
  { line, scripts: 'with scripts', option: [] },
  { line, scripts: 'with --ignore-scripts', option: ['--ignore-scripts'] },
])

test.each(combinations)(
  'npx runs the tarballs from an empty folder, Node $line, $scripts, as a user without a network',
  async ({ line, scripts, option }) => {
    const folder = newFolder(join(place, `npx-${line}${option.join('')}`))
    const packages = tarballs.flatMap((path) => ['--package', path])
    // Removes the packages that npx has unpacked for an earlier test.
    rmSync(join(cache, '_npx'), { recursive: true, force: true })
    const npx = ['npx', '--yes', '--offline', ...option, ...packages, 'pipit', 'serve']
    await expectReply(npx, { folder, line, title: `npx, Node ${line}, ${scripts}` })
  },
  120_000,
)

test.each(combinations)(
  'a global install answers, Node $line, $scripts, as a user without a network',
  async ({ line, scripts, option }) => {
    const folder = newFolder(join(place, `global-${line}${option.join('')}`))
    const user = userIn(folder, line)
    const prefix = join(folder, '.local')
    const startedAt = performance.now()
    const install = ['npm', 'install', '--global', '--offline', '--prefix', prefix, ...option]
    await runAsUser([...install, ...tarballs], user)
    const installSeconds = (performance.now() - startedAt) / 1000
    const exitCode = await expectReply([join(prefix, 'bin/pipit'), 'serve'], {
      folder,
      line,
      title: `npm install --global in ${installSeconds.toFixed(1)} s, Node ${line}, ${scripts}`,
    })
    expect(exitCode).toBe(0)
  },
  120_000,
)

type Run = { readonly folder: string; readonly line: string; readonly title: string }

/**
 * Starts a service with a command. Expects the bundled model's reply, and expects the service to end after Ctrl-C.
 * Returns the exit code of the command.
 */
async function expectReply(
  command: readonly string[],
  { folder, line, title }: Run,
): Promise<number | null> {
  const printed = await runAsUser(['node', script, ...command], userIn(folder, line))
  const { reply, exitCode, isStopped, interfaces, readySeconds, replySeconds } = JSON.parse(printed)
  const times = `ready after ${readySeconds.toFixed(1)} s, first reply after ${replySeconds.toFixed(1)} s`
  console.log(`${title}: ${times}${isCut ? '' : ' (the network was not cut)'}`)
  expect(reply).toContain('svc-o1-mini, a small language model')
  expect(isStopped).toBe(true)
  if (isCut) expect(interfaces).toEqual(['lo'])
  return exitCode
}
