// Builds what is not in the repository: the engine's addon (build/), the compiled service (dist/) and the
// developer panel (dist/panel/).
// `npm run build` runs it; the other scripts call `buildIfStale`. It keeps to plain JavaScript and to
// what Node 20 has, because it runs before anything else is known to be there.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildPanel, firstLoads } from './panel.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const build = join(root, 'build')
const panelFolder = join(root, 'dist/panel')
const addonFile = join(build, 'pipit-engine.node')
const addonFacts = join(build, 'pipit-engine.json')
const nativeSource = join(root, 'src/engine/embedded/native/src')
const require = createRequire(import.meta.url)
const run = promisify(execFile)

/** What a process or a thread begins with: src/<entry>.ts becomes dist/<entry>.js. */
const entries = [
  'cli/main',
  'engine/embedded/child/main',
  'storage/threads/storage-thread',
  'storage/threads/reader-thread',
]
/** The packages that are hundreds of modules each; what they import themselves comes with them. */
const bundled = ['kysely', 'typebox', 'better-auth', '@better-auth/passkey']
/** What the panel is made with and of. */
const panelPackages = [
  'vite',
  '@vitejs/plugin-react',
  'react',
  'react-dom',
  '@mantine/core',
  '@mantine/hooks',
  '@tanstack/react-query',
  '@tanstack/react-router',
  'react-markdown',
  'remark-gfm',
  'uplot',
  'uqr',
]

const compilerFlags = [
  '-O3',
  '-std=c++17',
  '-fPIC',
  '-fvisibility=hidden',
  // Sampling gives the same bits on every processor, so no fused operations.
  '-ffp-contract=off',
  '-fno-math-errno',
  '-Wall',
  '-Wextra',
  '-DNAPI_VERSION=8',
  '-DNAPI_CPP_EXCEPTIONS',
]

/** A build that cannot go on; the message is one sentence for whoever started it. */
export class BuildError extends Error {
  name = 'BuildError'
}

/**
 * Builds the parts whose inputs have changed, and nothing else.
 * @param {{ quiet?: boolean }} options quiet: only what takes longer than two seconds is said.
 * @returns {Promise<string[]>} the parts that were built
 */
export async function buildIfStale({ quiet = false } = {}) {
  const built = []
  for (const part of [addonPart(), distPart(), panelPart()]) {
    if (part === undefined || isFresh(part)) continue
    await withProgress(part.name, quiet, part.make)
    if (!quiet && part.remark !== undefined) console.error(part.remark())
    writeFileSync(part.stampFile, part.key)
    built.push(part.name)
  }
  return built
}

/** The Node addon over the llama.cpp libraries that the platform package brings. */
function addonPart() {
  if (!existsSync(nativeSource)) return undefined
  const pins = pinnedVersions([
    '@node-llama-cpp/linux-x64',
    'node-llama-cpp',
    'node-addon-api',
    'node-api-headers',
  ])
  return {
    name: 'the engine addon',
    key: hashOf([nativeSource], [...compilerFlags, ...pins, process.platform, process.arch]),
    stampFile: join(build, 'pipit-engine.stamp'),
    outputs: [addonFile, addonFacts],
    make: makeAddon,
  }
}

function distPart() {
  if (!existsSync(join(root, 'src'))) return undefined
  const inputs = [join(root, 'src')]
  return {
    name: 'the service',
    key: hashOf(inputs, pinnedVersions(['rolldown', ...bundled]), (file) =>
      /(?<!\.test)\.(ts|json)$/.test(file),
    ),
    stampFile: join(build, 'dist.stamp'),
    outputs: [join(root, 'dist')],
    make: makeDist,
  }
}

/** The developer panel. Of the service it takes types only, so that no change there makes it stale. */
function panelPart() {
  const source = join(root, 'panel')
  if (!existsSync(source)) return undefined
  return {
    name: 'the developer panel',
    key: hashOf([source, join(root, 'tools/panel.mjs')], pinnedVersions(panelPackages), (file) =>
      /(?<!\.test)\.(tsx?|js|mjs|css|svg|html)$/.test(file),
    ),
    stampFile: join(build, 'panel.stamp'),
    outputs: [panelFolder],
    make: makePanel,
    remark: () => {
      const [largest] = firstLoads(panelFolder)
      const kilobytes = (largest.bytes / 1000).toFixed(1)
      return `  at first load ${kilobytes} kB of JavaScript, gzipped, on ${largest.page}; less on the other pages`
    },
  }
}

function isFresh({ key, stampFile, outputs }) {
  return (
    outputs.every(existsSync) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === key
  )
}

async function makeAddon() {
  const libraries = librariesFolder()
  const headers = await llamaHeaders()
  const nodeHeaders = packageFolder('node-api-headers')
  const addonApi = packageFolder('node-addon-api')
  const objects = mkdtempSync(join(build, 'objects-'))
  try {
    const sources = readdirSync(nativeSource).filter((file) => file.endsWith('.cc'))
    const includes = [headers, join(nodeHeaders, 'include'), addonApi].map(
      (folder) => `-I${folder}`,
    )
    const compile = async (source) => {
      const object = join(objects, source.replace(/\.cc$/, '.o'))
      await tool('g++', [
        ...compilerFlags,
        ...includes,
        '-c',
        join(nativeSource, source),
        '-o',
        object,
      ])
      return object
    }
    const compiled = await Promise.all(sources.map(compile))
    const linked = join(objects, 'pipit-engine.node')
    const shared = readdirSync(libraries).filter((file) =>
      /^lib(llama|ggml|ggml-base)(\.v.*)?\.so$/.test(file),
    )
    // Relative to the addon, so that the whole folder can be moved.
    const rpath = `-Wl,-rpath,$ORIGIN/${relative(build, libraries)}`
    await tool('g++', [
      '-shared',
      '-o',
      linked,
      ...compiled,
      ...shared.map((file) => join(libraries, file)),
      rpath,
    ])
    const facts = await probeAddon(linked, libraries)
    writeFileSync(addonFacts, JSON.stringify(facts, null, 2) + '\n')
    // A running service keeps the old file open; it is replaced, never overwritten.
    renameSync(linked, addonFile)
  } finally {
    rmSync(objects, { recursive: true, force: true })
  }
}

/** Loads the addon once: what it says of its llama.cpp is what the start compares with later. */
async function probeAddon(file, libraries) {
  const script = `const addon = { exports: {} }; process.dlopen(addon, ${JSON.stringify(file)}); console.log(addon.exports.llamaBuild())`
  const env = { ...process.env, LD_LIBRARY_PATH: libraries }
  const { stdout } = await run(process.execPath, ['-e', script], { env })
  const platformPackage = JSON.parse(readFileSync(join(libraries, '../../package.json'), 'utf8'))
  return {
    llamaBuild: stdout.trim(),
    platformPackage: `${platformPackage.name} ${platformPackage.version}`,
  }
}

/** The headers of the llama.cpp release that the platform package was built from. */
async function llamaHeaders() {
  const [pin] = pinnedVersions(['node-llama-cpp'])
  const headers = join(build, `llama-headers-${pin.split(' ')[1]}`)
  if (existsSync(join(headers, 'llama.h'))) return headers
  const bundle = join(packageFolder('node-llama-cpp'), 'llama/gitRelease.bundle')
  const clone = mkdtempSync(join(build, 'llama-cpp-'))
  try {
    await tool('git', [
      'clone',
      '--quiet',
      '--depth',
      '1',
      '-c',
      'advice.detachedHead=false',
      bundle,
      clone,
    ])
    cpSync(join(clone, 'ggml/include'), headers, { recursive: true })
    cpSync(join(clone, 'include'), headers, { recursive: true })
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
  return headers
}

function librariesFolder() {
  const name = `@node-llama-cpp/${process.platform}-${process.arch}`
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new BuildError(
      `The engine is built for Linux on x64 so far; on ${process.platform}-${process.arch} it needs ${name}, which is not set up yet.`,
    )
  }
  return join(packageFolder(name), 'bins/linux-x64')
}

async function makeDist() {
  await exchange(join(root, 'dist'), async (next) => {
    await bundle(next)
    if (existsSync(panelFolder)) cpSync(panelFolder, join(next, 'panel'), { recursive: true })
  })
}

async function makePanel() {
  await exchange(panelFolder, async (next) => {
    try {
      await buildPanel(root, next)
    } catch (error) {
      throw new BuildError(`vite failed:\n${error.message}`)
    }
  })
}

/** Whoever starts meanwhile finds the old folder or the new one, never a half. */
async function exchange(folder, make) {
  const [next, last] = [`${folder}-next`, `${folder}-last`]
  rmSync(next, { recursive: true, force: true })
  try {
    await make(next)
    rmSync(last, { recursive: true, force: true })
    if (existsSync(folder)) renameSync(folder, last)
    renameSync(next, folder)
  } finally {
    for (const left of [next, last]) rmSync(left, { recursive: true, force: true })
  }
}

/** Takes the types away and joins the modules: hundreds of small files would be half of the start. */
async function bundle(folder) {
  try {
    const { rolldown } = await import('rolldown')
    const built = await rolldown({
      input: Object.fromEntries(entries.map((entry) => [entry, join(root, `src/${entry}.ts`)])),
      platform: 'node',
      // Packages of one or a few files, or with native code, stay as npm has installed them.
      external: (id, importer) => /^[^./]/.test(id) && !isBundled(id, importer),
      logLevel: 'silent',
    })
    await built.write({
      dir: folder,
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name].js',
      sourcemap: true,
    })
    await built.close()
  } catch (error) {
    throw new BuildError(`rolldown failed:\n${error.message}`)
  }
}

function isBundled(id, importer) {
  if (importer?.includes('/node_modules/')) return true
  return bundled.some((name) => id === name || id.startsWith(`${name}/`))
}

/** Runs a program; its own words are part of the error. */
async function tool(command, args) {
  try {
    await run(command, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 })
  } catch (error) {
    if (error.code === 'ENOENT') {
      throw new BuildError(
        `The build needs ${command}, which is not installed: install it (Debian: apt install ${command}) and run it again.`,
      )
    }
    throw new BuildError(
      `${command} failed:\n${error.stdout ?? ''}${error.stderr ?? error.message}`,
    )
  }
}

function packageFolder(name) {
  for (const folder of require.resolve.paths(name) ?? []) {
    if (existsSync(join(folder, name, 'package.json'))) return join(folder, name)
  }
  throw new BuildError(`The build needs the package ${name}, which is not installed: run npm ci.`)
}

/** From package.json, which pins exactly: so a built tree stays fresh without its build tools. */
function pinnedVersions(names) {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return names.map((name) => `${name} ${dependencies[name] ?? devDependencies[name]}`)
}

function hashOf(paths, facts, counts = () => true) {
  const hash = createHash('sha256').update(facts.join('\n'))
  for (const path of paths) {
    for (const file of filesIn(path).filter(counts)) {
      hash.update(`\n${relative(root, file)}\n`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

function filesIn(path) {
  const entries = readdirSync(dirname(path), { withFileTypes: true })
  const self = entries.find((entry) => join(dirname(path), entry.name) === path)
  if (!self?.isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)))
}

async function withProgress(name, quiet, make) {
  mkdirSync(build, { recursive: true })
  const say = () => console.error(`Building ${name} …`)
  if (!quiet) say()
  const timer = quiet ? setTimeout(say, 2000) : undefined
  try {
    await make()
  } finally {
    clearTimeout(timer)
  }
}

if (
  process.argv[1] !== undefined &&
  import.meta.url === new URL(`file://${process.argv[1]}`).href
) {
  try {
    const built = await buildIfStale()
    console.error(
      built.length === 0 ? 'Everything is up to date.' : `Built ${built.join(' and ')}.`,
    )
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
