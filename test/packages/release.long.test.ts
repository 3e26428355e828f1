import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { askBundled } from './ask-bundled.mjs'
import { packageRoot } from '../../src/paths.ts'
import { writeRelease } from '../../tools/package/release.mjs'
import { serveFolder } from './release-server.ts'
import { installer, runInstaller } from './run-installer.ts'

const isLinux = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
beforeEach(({ skip }) => skip(!isLinux, 'releases are for Linux on x64 and arm64'))

const place = mkdtempSync(join(tmpdir(), 'pipit-release-'))
const out = join(place, 'release')
const home = mkdtempSync(join(place, 'home-'))
const link = join(home, '.local/bin/pipit')
let archive = ''
let server: Awaited<ReturnType<typeof serveFolder>>

beforeAll(async () => {
  if (!isLinux) return
  server = await serveFolder(out)
  ;[archive = ''] = await writeRelease({ out, url: server.url })
}, 300_000)
afterAll(async () => {
  await server?.close()
  rmSync(place, { recursive: true, force: true })
})

// Keeps nothing of the user's environment. The launcher uses the Node beside it.
const environment = {
  HOME: home,
  PATH: '/usr/bin:/bin',
  PIPIT_PORT: '0',
  PIPIT_METRICS_PORT: '0',
}
const run = (...args: string[]) => execFileSync(link, args, { env: environment, encoding: 'utf8' })

/** Installs with the release's script, which contains the address of the upload. */
const install = () => runInstaller([], { home, script: join(out, basename(installer)) })

test('a release has an archive, its checksum and the script, and the script knows their address', () => {
  expect(readdirSync(out).sort()).toEqual(['SHA256SUMS', 'install.sh', basename(archive)])
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: out })
  expect(readFileSync(join(out, 'install.sh'), 'utf8')).toContain(`release_url='${server.url}'`)
})

test('the archive is installed, answers, and is replaced by an update; a wrong checksum leaves it', async () => {
  expect(await install()).toMatchObject({ code: 0, stderr: '' })
  expect(run('--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  await expectReply()
  const first = readlinkSync(link)
  expect(await install()).toMatchObject({ code: 0 })
  const second = readlinkSync(link)
  expect(second).not.toBe(first)
  // The first version stays on disk for a service that still runs.
  expect(existsSync(first)).toBe(true)
  await expectReply()
  appendFileSync(archive, 'x')
  expect(await install()).toMatchObject({ code: 1, stderr: expect.stringContaining('SHA-256') })
  expect(readlinkSync(link)).toBe(second)
  expect(run('--version')).toMatch(/^\d/)
}, 120_000)

test('man finds the page, and the installed folder is as large as the installer assumes', () => {
  const folder = dirname(dirname(readlinkSync(link)))
  expect(existsSync(join(home, '.local/share/man/man1/pipit.1'))).toBe(true)
  expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'LICENSE-node', 'bin', 'lib', 'share'])
  const [, needed = ''] = /^needed_kib=(\d+)$/m.exec(readFileSync(installer, 'utf8')) ?? []
  const [size = ''] = execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')
  const kib = Number(size) + statSync(archive).size / 1024
  expect(kib).toBeLessThan(Number(needed))
  expect(kib).toBeGreaterThan(Number(needed) / 2)
})

test('the container image starts files of the archive, and has at most 250 MB', () => {
  const folder = dirname(dirname(readlinkSync(link)))
  const dockerfile = readFileSync(join(packageRoot, 'deploy/Dockerfile'), 'utf8')
  const named = [...dockerfile.matchAll(/"\/opt\/pipit\/([^"]+)"/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(2)
  for (const path of named) expect([path, existsSync(join(folder, path))]).toEqual([path, true])
  const [bytes = ''] = execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')
  // Debian's slim image takes 78 MB of the 250 MB that the container image may have.
  expect(Number(bytes)).toBeLessThan(250e6 - 78e6)
})

/** Starts the installed service, asks it one question, and stops it. */
async function expectReply(): Promise<void> {
  const data = mkdtempSync(join(place, 'data-'))
  const child = spawn(link, ['serve'], {
    env: { ...environment, PIPIT_DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const banner = await new Promise<string>((resolve, reject) => {
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.includes('Try it:')) resolve(text)
      })
    void exited.then((code) => reject(new Error(`pipit serve ended with ${code}: ${text}`)))
  })
  const url = /serves \S+ on (\S+)/.exec(banner)?.[1] ?? ''
  const key = /^ +(sk-pipit-\S+)$/m.exec(banner)?.[1] ?? ''
  expect(await askBundled(url, key)).toContain('svc-o1-mini, a small language model')
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
}
