import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { randomGguf } from '../support/gguf/random-gguf.ts'
import { newDataDir, runCli, startProcess } from '../support/process.ts'
import { recordFinding } from '../support/reliability.ts'
import { runCommand } from '../support/terminal/run-command.ts'

const model = new URL('../../model/svc-o1-mini.gguf', import.meta.url)
// Each start adds a listener for its logger to this process, and the tests start many services in it.
process.setMaxListeners(0)
const base = () => ({ PIPIT_PORT: '0', PIPIT_METRICS_PORT: '0', PIPIT_DATA_DIR: temporaryDir() })

/** Expects one sentence and the exit code, without a stack and without an open port. */
async function expectRefusal(
  environment: Record<string, string>,
  sentence: RegExp,
  run: typeof runCommand = runCommand,
  exitCode = 1,
) {
  const { code, stdout, stderr } = await run(['serve'], { ...base(), ...environment })
  // A start that takes longer than two seconds logs its progress first.
  const lines = stderr
    .trim()
    .split('\n')
    .filter((line) => !line.includes('loading the model'))
  expect(lines).toEqual([expect.stringMatching(sentence)])
  expect([code, stdout]).toEqual([exitCode, ''])
}

/** Runs the command in its own process, which shows that the process ends. */
async function inOwnProcess(
  args: readonly string[],
  environment: Record<string, string>,
  program?: string,
) {
  const { code, ...output } = await runCli([...args], environment, process.execPath, program)
  return { code: code ?? -1, ...output }
}

function temporaryDir(): string {
  const path = newDataDir()
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

function modelFile(change: (bytes: Buffer) => Buffer): string {
  const path = join(temporaryDir(), 'model.gguf')
  writeFileSync(path, change(readFileSync(model)))
  return path
}

test('a missing, foreign, empty, truncated or corrupt GGUF is refused in one sentence that names the file (F17)', async () => {
  const missing = join(temporaryDir(), 'none.gguf')
  await expectRefusal({ PIPIT_MODEL: missing }, new RegExp(missing), inOwnProcess)
  await expectRefusal({ PIPIT_MODEL: temporaryDir() }, /directory/)
  const damaged: Record<string, (bytes: Buffer) => Buffer> = {
    empty: () => Buffer.alloc(0),
    foreign: () => Buffer.from('%PDF-1.7 this is not a model'),
    half: (bytes) => bytes.subarray(0, bytes.length / 2),
    'last byte gone': (bytes) => bytes.subarray(0, -1),
    'header only': (bytes) => bytes.subarray(0, 100),
  }
  for (const [name, change] of Object.entries(damaged)) {
    const path = modelFile(change)
    await expectRefusal({ PIPIT_MODEL: path }, new RegExp(`${path}`)).catch((error: unknown) => {
      throw new Error(`${name}: ${String(error)}`)
    })
  }
  const count = 2 + Object.keys(damaged).length
  recordFinding('F17', `${count} of ${count} unusable model files were refused in one sentence.`)
}, 120_000)

test('a configuration that does not fit into memory is refused in one sentence with the calculation', async () => {
  // A token of 2 layers × 1 head × 2 × 65,536 numbers takes 524 kB, so that no machine has enough memory.
  const wide = { 'llama.attention.key_length': 65_536, 'llama.attention.value_length': 65_536 }
  const path = modelFile(() => randomGguf({ contextTokens: 131_072, metadata: wide }))
  await expectRefusal(
    { PIPIT_MODEL: path, PIPIT_SLOTS: '64', PIPIT_CONTEXT_TOKENS: '131072' },
    /^pipit: The configuration needs 4\.40 TB \(model \d+ kB \+ KV cache 64 slots × 131072 tokens × 524 kB = 4\.40 TB \+ 268 MB of working memory\), and \d[\d.]* [MG]B are available: lower PIPIT_SLOTS or PIPIT_CONTEXT_TOKENS, or set PIPIT_KV_TYPE=q8_0\.$/m,
  )
}, 60_000)

test('a GPU without its package is refused in one sentence with the command that installs it', async () => {
  const names = '@node-llama-cpp/linux-x64-cuda@\\S+ @node-llama-cpp/linux-x64-cuda-ext@\\S+'
  await expectRefusal(
    { PIPIT_GPU: 'cuda' },
    new RegExp(`^pipit: PIPIT_GPU=cuda needs .*: run \`npm install --no-save ${names}\`\\.$`, 'm'),
  )
  await expectRefusal({ PIPIT_GPU: 'metal' }, /PIPIT_GPU=metal is not for linux-x64 but for macOS/)
}, 60_000)

test('a missing library of llama.cpp is refused in one sentence with the command that installs it (F17)', async () => {
  const root = temporaryDir()
  for (const name of ['package.json', 'dist', 'build/pipit-engine.node', 'build/pipit-engine.json'])
    cpSync(join(packageRoot, name), join(root, name), { recursive: true })
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(join(packageRoot, 'node_modules')))
    if (name !== '@node-llama-cpp')
      symlinkSync(join(packageRoot, 'node_modules', name), join(root, 'node_modules', name))
  const run: typeof inOwnProcess = (args, environment) =>
    inOwnProcess(args, environment, join(root, 'dist/cli/main.js'))
  await expectRefusal(
    { PIPIT_MODEL: fileURLToPath(model) },
    /^pipit: The package @node-llama-cpp\/\S+ [\d.]+, which brings llama\.cpp, is not installed: run `npm ci` in a clone, or `npm install @node-llama-cpp\/\S+`\.$/m,
    run,
  )
}, 60_000)

test('a port in use is refused in one sentence (F17)', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  try {
    const sentence = new RegExp(`${port} .*in use`)
    // A start that failed must not wait for load balancers.
    const environment = { PIPIT_PORT: String(port), PIPIT_DRAIN_SECONDS: '600' }
    await expectRefusal(environment, sentence, inOwnProcess)
    await expectRefusal(
      { PIPIT_METRICS_PORT: String(port) },
      new RegExp(`PIPIT_METRICS_PORT.*${port}`),
    )
  } finally {
    server.close()
  }
}, 60_000)

test('an unusable data directory is refused in one sentence', async () => {
  const file = join(temporaryDir(), 'file')
  writeFileSync(file, 'not a directory')
  await expectRefusal({ PIPIT_DATA_DIR: file }, new RegExp(file))
  await expectRefusal({ PIPIT_DATA_DIR: join(file, 'below') }, new RegExp(file))
  await expectRefusal({ PIPIT_DATA_DIR: '/proc/pipit' }, /\/proc\/pipit/)
}, 60_000)

test('a file that is not a database is refused and left as it is (F28)', async () => {
  const dataDir = temporaryDir()
  copyFileSync(new URL('../../package.json', import.meta.url), join(dataDir, 'pipit.db'))
  await expectRefusal({ PIPIT_DATA_DIR: dataDir }, /pipit\.db/)
  expect(readFileSync(join(dataDir, 'pipit.db'), 'utf8')).toContain('"pipit"')
  recordFinding('F28', 'A file that is no database was refused and left as it was.')
}, 60_000)

test('an address that other machines can reach is refused until a key exists (T1)', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'localhost.example.com'])
    await expectRefusal({ PIPIT_HOST: host, PIPIT_ENGINE: 'scripted' }, /PIPIT_HOST .*keys create/)
}, 60_000)

test('two services never share a data directory', async () => {
  const first = await startProcess({ PIPIT_ENGINE: 'scripted' })
  try {
    await expectRefusal(
      { PIPIT_DATA_DIR: first.dataDir, PIPIT_ENGINE: 'scripted' },
      new RegExp(first.dataDir),
    )
  } finally {
    await first.dispose()
  }
}, 60_000)

test('the refusal names every faulty setting', async () => {
  await expectRefusal(
    { PIPIT_SLOTS: '0', PIPIT_CONTEXT_TOKENS: 'x' },
    /PIPIT_SLOTS .*PIPIT_CONTEXT_TOKENS /,
    inOwnProcess,
    78,
  )
}, 60_000)
