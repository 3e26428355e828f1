import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'

const cores = availableParallelism()
const names = Array.from({ length: 2 * cores + 4 }, (_, index) => `source-${index}`)
/** Records how many compilers run at once, and whether the lock of the build outlives each of them. */
const compiler = `#!/bin/sh
[ "$1" = --version ] && exit
for argument; do [ "$previous" = -o ] && output=$argument; previous=$argument; done
mkdir "running/$$"
ls running | wc -l >> at-once
case "$*" in
  *fails.cc*) echo 'fails.cc: no memory' >&2; exit 1 ;;
  *) sleep 0.3 ;;
esac
[ -e build/lock ] || echo "$output" >> without-lock
rmdir "running/$$"
touch "$output"
`
const script = `
import { BuildError, buildStaleParts } from './tools/build-part.mjs'
import { testAddonPart } from './tools/engine/build-addon.mjs'
try {
  await buildStaleParts([testAddonPart()], true)
} catch (error) {
  if (!(error instanceof BuildError)) throw error
  console.error(error.message)
  process.exitCode = 1
}`

/** A checkout with other sources and another compiler. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pipit-compilers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(packageRoot, 'tools'), join(folder, 'tools'), { recursive: true })
  cpSync(join(packageRoot, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['g++', 'clang++']) write(join('bin', name), compiler)
  mkdirSync(join(folder, 'running'))
  write('test/native/test.cc', '')
  const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  write(`build/llama-headers-${devDependencies['node-llama-cpp']}/llama.h`, '')
  for (const name of names) write(`src/engine/embedded/native/${name}.cc`, `// ${name}\n`)
})

function write(path: string, text: string) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text, { mode: 0o755 })
}

async function build() {
  const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter)
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    env: { PATH, XDG_CACHE_HOME: join(folder, 'cache') },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part))
  const [code] = await once(child, 'close')
  return { code, errors }
}

/** Returns for each compiler how many ran when it had started, with itself. */
function readCounts(): number[] {
  return readFileSync(join(folder, 'at-once'), 'utf8').trim().split('\n').map(Number)
}

test('at most one compiler runs for each core', async () => {
  expect((await build()).code).toBe(0)
  const counts = readCounts()
  // One for each source, and one that links.
  expect(counts).toHaveLength(names.length + 2)
  expect(Math.max(...counts)).toBeLessThanOrEqual(cores)
})

test('after a failure no other compiler starts, and the lock outlives those that run', async () => {
  write('src/engine/embedded/native/fails.cc', '// fails\n')
  const { code, errors } = await build()
  expect(code).toBe(1)
  expect(errors).toContain('fails.cc: no memory')
  expect(readCounts().length).toBeLessThanOrEqual(cores)
  expect(existsSync(join(folder, 'without-lock'))).toBe(false)
  expect(existsSync(join(folder, 'build/lock'))).toBe(false)
})
