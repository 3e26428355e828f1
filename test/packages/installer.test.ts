import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { checkUrl } from '../../tools/package/release.mjs'
import { selfSigned } from '../support/tls/self-signed.ts'
import { serveFolder } from './release-server.ts'
import { installer, runInstaller } from './run-installer.ts'

// These tests check the installer, so their archive has a script in place of Pipit. release.long.test.ts installs the
// real archive.
const isLinux = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
beforeEach(({ skip }) => skip(!isLinux, 'the installer is for Linux on x64 and arm64'))

const place = mkdtempSync(join(tmpdir(), 'pipit-test-'))
const release = join(place, 'release')
let server: Awaited<ReturnType<typeof serveFolder>>
beforeAll(async () => {
  chmodSync(place, 0o755)
  mkdirSync(release)
  server = await serveFolder(release)
})
afterAll(async () => {
  await server.close()
  rmSync(place, { recursive: true, force: true })
})

let home: string
let link: string
let apps: string
beforeEach(() => {
  home = mkdtempSync(join(place, 'home-'))
  link = join(home, '.local/bin/pipit')
  apps = join(home, '.local/share/pipit/app')
  publish('1.0.0')
})

/** Publishes an archive whose `pipit` prints its version. */
function publish(version: string, program = `#!/bin/sh\necho ${version}\n`): string {
  rmSync(release, { recursive: true })
  const name = `pipit-${version}-linux-${process.arch}`
  mkdirSync(join(release, name, 'bin'), { recursive: true })
  mkdirSync(join(release, name, 'share/man/man1'), { recursive: true })
  writeFileSync(join(release, name, 'bin/pipit'), program, { mode: 0o755 })
  writeFileSync(join(release, name, 'share/man/man1/pipit.1'), '.TH PIPIT 1\n')
  const archive = join(release, `${name}.tar.gz`)
  execFileSync('tar', ['-czf', archive, '-C', release, name])
  const hash = createHash('sha256').update(readFileSync(archive)).digest('hex')
  writeFileSync(join(release, 'SHA256SUMS'), `${hash}  ${name}.tar.gz\n`)
  return archive
}

const install = (options = {}) => runInstaller(['--from', server.url], { home, ...options })
const installed = () => execFileSync(link, { encoding: 'utf8' }).trim()
const versions = () => readdirSync(apps).map((name) => name.replace(/-.*/, ''))

/** Returns a folder that holds only links to the named programs, and the scripts in `own`. */
function pathWith(names: readonly string[], own: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(place, 'path-'))
  for (const name of names) {
    const file = ['/usr/bin', '/bin'].map((from) => join(from, name)).find(existsSync)
    if (file !== undefined) symlinkSync(file, join(folder, name))
  }
  for (const [name, script] of Object.entries(own))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return folder
}
const usual =
  'cat cut date df find grep gzip head ldd ln mkdir mktemp mv readlink rm rmdir sed sh tar uname'.split(
    ' ',
  )

test('an install has a link and a man page, and an update switches them', async () => {
  expect(await install()).toMatchObject({ code: 0, stderr: '' })
  expect([installed(), versions()]).toEqual(['1.0.0', ['1.0.0']])
  expect(existsSync(join(home, '.local/share/man/man1/pipit.1'))).toBe(true)
  publish('1.1.0')
  const update = await install()
  expect(update.stdout).toContain('If the service is running, restart it.')
  // The files of a service that still runs stay until the next update.
  expect([installed(), versions()]).toEqual(['1.1.0', ['1.0.0', '1.1.0']])
  publish('1.2.0')
  await install()
  expect([installed(), versions()]).toEqual(['1.2.0', ['1.1.0', '1.2.0']])
})

test('updates without a restart keep the program of a service that runs', async () => {
  await install()
  const program = join(apps, readdirSync(apps)[0] ?? '', 'bin/node')
  copyFileSync('/bin/sleep', program)
  const service = spawn(program, ['60'])
  onTestFinished(() => void service.kill())
  for (const version of ['1.1.0', '1.2.0', '1.3.0']) {
    publish(version)
    await install()
  }
  expect(versions()).toEqual(['1.0.0', '1.2.0', '1.3.0'])
  service.kill()
  await once(service, 'exit')
  await install()
  expect(versions()).toEqual(['1.3.0', '1.3.0'])
})

test('the same release can be installed again', async () => {
  await install()
  const first = readlinkSync(link)
  writeFileSync(first, 'damaged')
  expect(await install()).toMatchObject({ code: 0 })
  expect([installed(), readlinkSync(link) === first]).toEqual(['1.0.0', false])
})

test.each(['wget', 'curl'])(
  'it works with %s alone, and with each checksum program',
  async (get) => {
    for (const sum of ['sha256sum', 'shasum', 'openssl']) {
      if (!['/usr/bin', '/bin'].some((folder) => existsSync(join(folder, sum)))) continue
      const path = pathWith([...usual, get, sum, ...(sum === 'shasum' ? ['perl'] : [])])
      expect(await install({ path })).toMatchObject({ code: 0, stderr: '' })
    }
    expect(installed()).toBe('1.0.0')
  },
)

test.each(['wget', 'curl'])('%s follows redirects to https, and none to http', async (get) => {
  const pair = selfSigned()
  const certificate = join(home, 'ca.pem')
  writeFileSync(certificate, pair.cert)
  writeFileSync(join(home, '.wgetrc'), `ca_certificate = ${certificate}\n`)
  writeFileSync(join(home, '.curlrc'), `cacert = ${certificate}\n`)
  const secure = await serveFolder(release, pair)
  let target = secure.url
  const redirecting = createServer(pair, ({ url = '' }, response) => {
    response.writeHead(302, { location: target + url }).end()
  })
  redirecting.listen(0, '127.0.0.1')
  await once(redirecting, 'listening')
  onTestFinished(async () => {
    redirecting.close()
    await secure.close()
  })
  const from = `https://127.0.0.1:${(redirecting.address() as AddressInfo).port}`
  const path = pathWith([...usual, get, 'sha256sum'])
  target = server.url
  const refused = await runInstaller(['--from', from], { home, path })
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/SHA256SUMS (could not be downloaded|is redirected to .* not https)/),
  ])
  expect(existsSync(link)).toBe(false)
  target = secure.url
  expect(await runInstaller(['--from', from], { home, path })).toMatchObject({
    code: 0,
    stderr: '',
  })
  expect(installed()).toBe('1.0.0')
})

test('a wrong checksum, a missing file and a program that does not run leave the old one in place', async () => {
  await install()
  const faults: [() => unknown, RegExp][] = [
    [() => writeFileSync(publish('2.0.0'), 'other bytes'), /has the SHA-256 .* instead of/],
    [() => rmSync(publish('2.0.0')), /2\.0\.0.* could not be downloaded/],
    [() => publish('2.0.0', '#!/bin/sh\nexit 1\n'), /does not run on this machine/],
    [() => publish('2.0.0', '#!/bin/nothing\n'), /does not run on this machine/],
    [() => rmSync(join(release, 'SHA256SUMS')), /SHA256SUMS could not be downloaded/],
    [() => writeFileSync(join(release, 'SHA256SUMS'), ''), /has no archive for linux-/],
  ]
  for (const [cause, message] of faults) {
    cause()
    const { code, stderr } = await install()
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
    expect([installed(), readdirSync(apps).length]).toEqual(['1.0.0', 1])
    publish('1.0.0')
  }
})

test.each([
  ['no curl and no wget', [...usual, 'sha256sum'], {}, /needs curl or wget/],
  ['no tar', usual.filter((name) => name !== 'tar'), {}, /needs tar/],
  ['no checksum program', [...usual, 'curl'], {}, /needs sha256sum, shasum or openssl/],
  ['another system', usual, { uname: 'echo Darwin' }, /is for Linux, and this is Darwin/],
  [
    'another processor',
    usual,
    { uname: '[ $1 = -s ] && echo Linux || echo riscv64' },
    /no engine for the processor riscv64/,
  ],
  ['musl', usual, { ldd: 'echo musl libc >&2; exit 1' }, /needs glibc, and this system has musl/],
])('%s: one sentence, and nothing is written', async (_case, names, own, message) => {
  const path = pathWith(
    names.filter((name) => !(name in own)),
    own,
  )
  const { code, stderr } = await install({ path })
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(readdirSync(home)).toEqual([])
})

test('an address that others could change is refused', async () => {
  for (const [from, message] of [
    ['http://example.com/pipit', /is not an https address/],
    ['http://127.0.0.1.example.com', /is not an https address/],
    ['', /Write the address of the release/],
  ] as const) {
    const { code, stderr } = await runInstaller(['--from', from], { home })
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
    // Without an address the user must write one, so such a release is allowed.
    if (from !== '') expect(() => checkUrl(from)).toThrow('--url needs an https address')
  }
  for (const url of [server.url, 'https://example.com/pipit']) checkUrl(url)
  expect((await runInstaller(['--wrong'], { home })).stderr).toContain('--wrong is not an option')
})

test('a folder that may not be written is refused', async () => {
  const uid = process.getuid?.() === 0 ? 65_534 : undefined
  // The other user may not be able to read the checkout.
  const script = join(place, 'install.sh')
  copyFileSync(installer, script)
  chmodSync(home, 0o555)
  const { code, stderr } = await install({ uid, script })
  chmodSync(home, 0o755)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/could not be made: see the message/)])
  expect(readdirSync(home)).toEqual([])
})

test('a full disk is refused before the download', async ({ skip }) => {
  const script = `mount -t tmpfs -o size=20m none ${home} && HOME=${home} sh ${installer} --from ${server.url}; code=$?; ls -A ${apps}; exit $code`
  const run = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', script], {
    encoding: 'utf8',
    // The server in this process cannot answer during spawnSync, but the installer refuses before it downloads.
    timeout: 20_000,
  })
  skip(/unshare|mount:/.test(run.stderr), 'this system does not let tests mount a small disk')
  expect([run.status, run.stderr]).toEqual([
    1,
    expect.stringMatching(/has 2\d MB free, and \d+ MB are needed/),
  ])
  expect(run.stdout).toBe('')
})

test('a program of the user is not replaced', async () => {
  mkdirSync(join(home, '.local/bin'), { recursive: true })
  writeFileSync(link, 'my own')
  const { code, stderr } = await install()
  expect([code, stderr]).toEqual([1, expect.stringMatching(/is there already and was not written/)])
  expect(readFileSync(link, 'utf8')).toBe('my own')
})

test('--uninstall removes everything but the data', async () => {
  await install()
  const database = join(home, '.local/share/pipit/pipit.db')
  writeFileSync(database, 'rows')
  const { code, stdout } = await runInstaller(['--uninstall'], { home })
  expect([code, stdout]).toEqual([0, expect.stringContaining('Your keys, the usage')])
  expect([existsSync(link), existsSync(apps), existsSync(database)]).toEqual([false, false, true])
  expect(existsSync(join(home, '.local/share/man/man1/pipit.1'))).toBe(false)
  const again = await runInstaller(['--uninstall'], { home })
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Nothing of Pipit')])
})

test('a script that was cut on its way does nothing', async () => {
  const whole = readFileSync(installer, 'utf8')
  const script = join(home, 'install.sh')
  onTestFinished(() => rmSync(script))
  for (const share of [0.2, 0.5, 0.9, 0.999]) {
    writeFileSync(script, whole.slice(0, whole.length * share))
    await runInstaller(['--from', server.url], { home, script })
    expect(readdirSync(home)).toEqual(['install.sh'])
  }
})
