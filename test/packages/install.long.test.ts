import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { askBundled } from './ask-bundled.mjs'
import { writePackages } from '../../tools/package/main.mjs'
import { startRegistry } from './registry.ts'

const execute = promisify(execFile)
const place = mkdtempSync(join(tmpdir(), 'pipit-packages-'))
const out = join(place, 'packages')
const folder = join(place, 'installed')
const service = join(folder, 'lib/node_modules/pipit')
const program = join(folder, 'bin/pipit')
let tarballs: string[] = []

beforeAll(async () => {
  tarballs = await writePackages({ out })
  await install(folder)
}, 300_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Installs the packages globally into a folder; llama.cpp and the other dependencies come from npm. */
async function install(prefix: string): Promise<void> {
  const [pipit = '', engine = ''] = tarballs
  const engineFolder = readdirSync(out).find((name) => /^engine-[^.]*$/.test(name)) ?? ''
  const facts = JSON.parse(readFileSync(join(out, engineFolder, 'package.json'), 'utf8'))
  const registry = await startRegistry([{ facts, tarball: engine }])
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  try {
    await execute(
      'npm',
      ['install', '--global', '--prefix', prefix, ...quiet, '--prefer-offline', pipit],
      { cwd: place, env: { ...process.env, 'npm_config_@pipit:registry': registry.url } },
    )
  } finally {
    await registry.close()
  }
}

/** Leaves only Node on the path: no compiler, no npm and no git. */
const environment = {
  PATH: dirname(process.execPath),
  HOME: place,
  PIPIT_PORT: '0',
  PIPIT_METRICS_PORT: '0',
  PIPIT_DATA_DIR: join(place, 'data'),
  // Makes Node send requests for other machines to this proxy, where they fail.
  HTTP_PROXY: 'http://127.0.0.1:1',
  HTTPS_PROXY: 'http://127.0.0.1:1',
  NODE_USE_ENV_PROXY: '1',
  NO_PROXY: '127.0.0.1',
}

function start() {
  const child = spawn(program, ['serve'], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const isServing = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.includes('Try it:')) resolve(text)
      })
    void exited.then((code) => reject(new Error(`pipit serve ended with ${code}: ${text}`)))
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { child, exited, isServing }
}

test('the packages, installed without scripts, serve the bundled model without a compiler', async () => {
  const { child, exited, isServing } = start()
  const banner = await isServing
  const url = /serves \S+ on (\S+)/.exec(banner)?.[1] ?? ''
  const key = /^ +(sk-pipit-\S+)$/m.exec(banner)?.[1] ?? ''
  expect(await askBundled(url, key)).toContain('svc-o1-mini, a small language model')
  const panel = await fetch(url)
  expect(await panel.text()).toContain('<title>')
  child.kill('SIGTERM')
  expect(await exited).toBe(0)
}, 120_000)

test('beside the libraries of llama.cpp, the packages take at most 60 MB, and have no scripts', () => {
  const all = join(folder, 'lib/node_modules')
  expect(bytesIn(all, (path) => !path.includes('/@node-llama-cpp/'))).toBeLessThan(60e6)
  for (const facts of packageFiles(all).map((path) => JSON.parse(readFileSync(path, 'utf8'))))
    for (const name of ['preinstall', 'install', 'postinstall'])
      expect(facts.scripts?.[name], `${facts.name} ${name}`).toBeUndefined()
})

test('a global install has the man page', () => {
  expect(existsSync(join(folder, 'share/man/man1/pipit.1'))).toBe(true)
})

test('the tarballs contain nothing of the build', () => {
  expect(existsSync(join(service, 'src'))).toBe(false)
  expect(existsSync(join(service, 'build'))).toBe(false)
  expect(tarballs.map((path) => basename(path))[0]).toMatch(/^pipit-\d/)
})

test('without the engine package, a start names it and the remedy', async () => {
  rmSync(join(service, 'node_modules/@pipit'), { recursive: true })
  const run = execute(program, ['serve'], { env: environment })
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^pipit: The package @pipit\/engine-\S+ is not installed, .*: run `npm install @pipit\/engine-/,
    ),
  })
})

function bytesIn(path: string, isCounted: (path: string) => boolean): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => isCounted(file) && statSync(file).isFile())
    .reduce((sum, file) => sum + statSync(file).size, 0)
}

/** Returns the package.json of every installed package. */
function packageFiles(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|node_modules\/)(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
    .map((file) => join(path, file))
}
