// Builds the engine's Node addon with the llama.cpp libraries of the platform package, and the addon through which
// tests call single functions of it.
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
import { availableParallelism } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import {
  BuildError,
  buildFolder,
  filesIn,
  hashOf,
  packageFolder,
  pinnedVersions,
  root,
  runTool,
} from '../build-part.mjs'
import { findPrebuilt } from './find-prebuilt.mjs'
import { keepObject, takeObject } from './object-cache.mjs'
import { hostId, platformOf } from './platforms.mjs'

const nativeSource = join(root, 'src/engine/embedded/native')
const sandboxSource = join(nativeSource, 'sandbox')
const testSource = join(root, 'test/native')
/**
 * A second package folder, for tests: the addons in it have the address and undefined-behaviour
 * sanitizers.
 */
export const sanitizedFolder = join(buildFolder, 'sanitized')
const testAddonFile = join(buildFolder, 'pipit-engine-test.node')

const compilerFlags = [
  '-O3',
  '-std=c++17',
  '-fPIC',
  '-fvisibility=hidden',
  // The sampler must give the same bits on every processor, so the compiler may not fuse
  // operations.
  '-ffp-contract=off',
  '-fno-math-errno',
  // Results stay the same. With traps, GCC masks every operation of a loop that chooses between results.
  '-fno-trapping-math',
  '-Wall',
  '-Wextra',
  '-DNAPI_VERSION=8',
  '-DNAPI_CPP_EXCEPTIONS',
  // Exceptions of the C++ library become JavaScript errors too. Otherwise they would end the process.
  '-DNODE_ADDON_API_CPP_EXCEPTIONS_ALL',
]

const sanitizedFlags = [
  ...compilerFlags.filter((flag) => flag !== '-O3'),
  '-O1',
  '-g1',
  '-fno-omit-frame-pointer',
  '-fno-sanitize-recover=all',
]
const sanitizers = ['-fsanitize=address,undefined,float-cast-overflow']

/**
 * @typedef {object} Variant
 * @property {import('./platforms.mjs').Platform} platform
 * @property {string[]} flags flags of the compiler
 * @property {string[]} linkFlags flags of both the compiler and the linker
 * @property {string} objects folder of the compiled sources, each named with a hash of all that goes into it
 */
const releaseFor = (id) => ({
  platform: platformOf(id),
  flags: compilerFlags,
  linkFlags: [],
  objects: join(engineFolder(id), 'objects'),
})
const sanitizedFor = (id) => ({
  platform: platformOf(id),
  flags: sanitizedFlags,
  linkFlags: sanitizers,
  objects: join(sanitizedFolder, 'objects'),
})

/** Without exceptions, the launcher needs no C++ library, which would take longer to load than the launcher itself. */
const launcherFlags = [
  '-O2',
  '-std=c++17',
  '-Wall',
  '-Wextra',
  '-fno-exceptions',
  '-fno-rtti',
  '-Wl,--as-needed',
]

/** Returns the folder of a platform's files. For this machine, it is build/ itself. */
export function engineFolder(id = hostId) {
  return id === hostId ? buildFolder : join(buildFolder, id)
}

/**
 * Returns the addon that the service loads; undefined in a package without sources.
 * @param {string} id platform; other platforms than this machine's need a cross compiler
 */
export function addonPart(id = hostId) {
  if (!existsSync(nativeSource)) return undefined
  const variant = releaseFor(id)
  const folder = engineFolder(id)
  const key = hashOf([nativeSource], environmentFacts(variant))
  const outputs = [join(folder, 'pipit-engine.node'), join(folder, 'pipit-engine.json')]
  const prebuilt = findPrebuilt(id, 'addonKey', key)
  return {
    name: id === hostId ? 'the engine addon' : `the engine addon for ${id}`,
    key,
    stampFile: join(folder, 'pipit-engine.stamp'),
    outputs,
    make: prebuilt ? () => copyPrebuilt(prebuilt, outputs) : () => makeAddon(outputs, variant),
  }
}

/** Returns the program that starts the engine process in its sandbox; undefined outside Linux. */
export function launcherPart(id = hostId) {
  const platform = platformOf(id)
  if (!existsSync(nativeSource) || platform.os !== 'linux') return undefined
  const folder = engineFolder(id)
  const key = hashOf([sandboxSource], [...launcherFlags, id])
  const file = join(folder, 'pipit-sandbox')
  const prebuilt = findPrebuilt(id, 'launcherKey', key)
  return {
    name: id === hostId ? 'the sandbox launcher' : `the sandbox launcher for ${id}`,
    key,
    stampFile: join(folder, 'pipit-sandbox.stamp'),
    outputs: [file],
    make: prebuilt ? () => copyPrebuilt(prebuilt, [file]) : () => makeLauncher(file, platform),
  }
}

/** Returns the test addon: the engine's sources with another module definition. */
export function testAddonPart() {
  return {
    name: 'the test addon',
    key: hashOf([nativeSource, ...cppFiles(testSource)], environmentFacts(releaseFor(hostId))),
    stampFile: join(buildFolder, 'pipit-engine-test.stamp'),
    outputs: [testAddonFile],
    make: makeTestAddon,
  }
}

/** Returns both addons with sanitizers. */
export function sanitizedPart() {
  const files = ['pipit-engine.node', basename(testAddonFile)].map((name) =>
    join(sanitizedFolder, 'build', name),
  )
  return {
    name: 'the addons with sanitizers',
    key: hashOf([nativeSource, ...cppFiles(testSource)], environmentFacts(sanitizedFor(hostId))),
    stampFile: join(buildFolder, 'sanitized.stamp'),
    outputs: files,
    make: () => makeSanitized(files),
  }
}

async function makeAddon([addonFile, factsFile], variant) {
  const objects = await compileAll(addonSources(), variant)
  removeOtherObjects(objects, variant)
  await link(objects, addonFile, variant, async (linked) => {
    const facts = await factsOf(linked, variant.platform)
    writeFileSync(factsFile, JSON.stringify(facts, null, 2) + '\n')
  })
}

async function makeLauncher(file, platform) {
  mkdirSync(dirname(file), { recursive: true })
  const linked = `${file}-${process.pid}`
  try {
    const options = [...launcherFlags, `-I${nativeSource}`, ...cppFiles(sandboxSource)]
    await runTool(compilerOf(platform), [...options, '-o', linked])
    renameSync(linked, file)
  } finally {
    rmSync(linked, { force: true })
  }
}

/** Renames copies into place, because a running service keeps the old files open. */
async function copyPrebuilt(folder, files) {
  for (const file of files) {
    mkdirSync(dirname(file), { recursive: true })
    const copy = `${file}-${process.pid}`
    cpSync(join(folder, basename(file)), copy)
    renameSync(copy, file)
  }
}

async function makeTestAddon() {
  const variant = releaseFor(hostId)
  await link(await compileAll(testAddonSources(), variant), testAddonFile, variant)
}

async function makeSanitized([addon, testAddon]) {
  const sanitized = sanitizedFor(hostId)
  mkdirSync(dirname(addon), { recursive: true })
  const objects = await compileAll(addonSources(), sanitized)
  const testObjects = await compileAll(testAddonSources(), sanitized)
  removeOtherObjects([...objects, ...testObjects], sanitized)
  await link(objects, addon, sanitized)
  await link(testObjects, testAddon, sanitized)
}

/** Returns all native sources but the main function of the launcher. */
function addonSources() {
  return cppFiles(nativeSource).filter((file) => file !== join(sandboxSource, 'launcher.cc'))
}

/** Returns the sources with the tests' module in place of the addon's. */
function testAddonSources() {
  const isModule = (file) => file === join(nativeSource, 'binding/addon.cc')
  return [...addonSources().filter((file) => !isModule(file)), ...cppFiles(testSource)]
}

function cppFiles(folder) {
  return filesIn(folder).filter((file) => file.endsWith('.cc'))
}

/** Returns everything besides the sources that affects the compiler's output. */
function environmentFacts({ platform, flags, linkFlags }) {
  const packages = [platform.llamaPackage, 'node-llama-cpp', 'node-addon-api', 'node-api-headers']
  return [...flags, ...linkFlags, ...pinnedVersions(packages), platform.os, platform.cpu]
}

function compilerOf(platform) {
  if (platform.id === hostId) return platform.compiler
  if (platform.crossCompiler !== undefined) return platform.crossCompiler
  throw new BuildError(`The engine for ${platform.id} is built on such a machine only.`)
}

/** Compiles the sources whose object does not exist yet, and returns the objects of all. */
async function compileAll(sources, variant) {
  const { flags, linkFlags, objects } = variant
  const includes = [
    nativeSource,
    await llamaHeaders(),
    join(packageFolder('node-api-headers'), 'include'),
    packageFolder('node-addon-api'),
  ].map((folder) => `-I${folder}`)
  const isHeader = (file) => file.endsWith('.h')
  const headersHash = hashOf([nativeSource], environmentFacts(variant), isHeader)
  mkdirSync(objects, { recursive: true })
  const compiler = compilerOf(variant.platform)
  const compilerFacts = await runTool(compiler, ['--version'])
  const compile = async (source) => {
    const hash = createHash('sha256').update(headersHash).update(readFileSync(source)).digest('hex')
    const name = `${basename(source, '.cc')}-${hash.slice(0, 16)}`
    const object = join(objects, `${name}.o`)
    if (existsSync(object)) return object
    const key = createHash('sha256').update(hash).update(compilerFacts).digest('hex')
    if (takeObject(key, object)) return object
    const unfinished = join(objects, `${name}-${process.pid}.o`)
    const options = [...flags, ...linkFlags, ...includes, '-c', source, '-o', unfinished]
    await runTool(compiler, options)
    renameSync(unfinished, object)
    keepObject(key, object)
    return object
  }
  return await mapOnCores(sources, compile)
}

/**
 * Works on as many items at once as there are cores: each compiler takes memory. After a failure it starts
 * no other work, and waits for what runs, because the lock of the build must outlive every compiler.
 */
async function mapOnCores(items, work) {
  const results = []
  const waiting = [...items.entries()]
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, item] = next
      try {
        results[index] = await work(item)
      } catch (error) {
        waiting.length = 0
        throw error
      }
    }
  })
  await Promise.allSettled(workers)
  await Promise.all(workers)
  return results
}

function removeOtherObjects(objects, variant) {
  for (const object of filesIn(variant.objects)) if (!objects.includes(object)) rmSync(object)
}

/**
 * Links an addon beside the old one and renames it, because a running service keeps the old file
 * open.
 */
async function link(objects, file, { platform, linkFlags }, check = async () => {}) {
  const libraries = librariesFolder(platform)
  const shared = readdirSync(libraries).filter((name) =>
    /^lib(llama|ggml|ggml-base)(\.v[\d.]*)?\.(so|dylib)$/.test(name),
  )
  // These paths are relative to the addon, so that the whole folder can be moved. They work in a clone, and in an npm
  // installation that has the package of llama.cpp beside that of the engine.
  const own = `${platform.llamaPackage}/bins/${basename(platform.llamaPackage)}`
  const places = [relative(dirname(file), libraries), `../../${own}`, `node_modules/${own}`]
  const origin = platform.os === 'darwin' ? '@loader_path' : '$ORIGIN'
  const rpaths = places.map((place) => `-Wl,-rpath,${origin}/${place}`)
  // Node's own symbols are resolved when Node loads the addon. Only Apple's linker needs a flag for that.
  const system = platform.os === 'darwin' ? ['-undefined', 'dynamic_lookup'] : []
  const linked = `${file}-${process.pid}`
  try {
    const paths = shared.map((name) => join(libraries, name))
    const options = ['-shared', ...system, ...linkFlags, '-o', linked, ...objects, ...paths]
    await runTool(compilerOf(platform), [...options, ...rpaths])
    await check(linked)
    renameSync(linked, file)
  } finally {
    rmSync(linked, { force: true })
  }
}

/**
 * Returns the versions that the service checks at startup against the installed ones. Also returns the keys of the
 * sources, by which a clone recognises a prebuilt engine.
 */
async function factsOf(linked, platform) {
  const addonKey = addonPart(platform.id).key
  const launcherKey = launcherPart(platform.id)?.key
  const { name, version } = readJson(join(librariesFolder(platform), '../../package.json'))
  const llamaBuild = await llamaBuildOf(linked, platform)
  return { llamaBuild, platformPackage: `${name} ${version}`, addonKey, launcherKey }
}

/** Loads the addon and returns the llama.cpp build that it reports. */
async function llamaBuildOf(linked, platform) {
  // An addon for another processor cannot be loaded here. All platform packages of one version have the same llama.cpp.
  if (platform.id !== hostId) return readJson(join(buildFolder, 'pipit-engine.json')).llamaBuild
  const script = `const addon = { exports: {} }; process.dlopen(addon, ${JSON.stringify(linked)}); console.log(addon.exports.llamaBuild())`
  const env = { ...process.env, LD_LIBRARY_PATH: librariesFolder(platform) }
  return (await runTool(process.execPath, ['-e', script], env)).trim()
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/**
 * Returns the folder with the headers of the llama.cpp release from which the platform package was
 * built.
 */
async function llamaHeaders() {
  const [pin] = pinnedVersions(['node-llama-cpp'])
  const headers = join(buildFolder, `llama-headers-${pin.split(' ')[1]}`)
  if (existsSync(join(headers, 'llama.h'))) return headers
  const bundle = join(packageFolder('node-llama-cpp'), 'llama/gitRelease.bundle')
  const clone = mkdtempSync(join(buildFolder, 'llama-cpp-'))
  try {
    const quietly = ['--quiet', '-c', 'advice.detachedHead=false']
    await runTool('git', ['clone', ...quietly, '--depth', '1', bundle, clone])
    cpSync(join(clone, 'ggml/include'), headers, { recursive: true })
    cpSync(join(clone, 'include'), headers, { recursive: true })
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
  return headers
}

function librariesFolder({ llamaPackage }) {
  return join(packageFolder(llamaPackage), 'bins', basename(llamaPackage))
}
