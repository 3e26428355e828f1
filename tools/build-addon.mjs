// Builds the engine's Node addon over the llama.cpp libraries of the platform package, and the
// addon through which the tests call single functions of it.
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
import { basename, join, relative } from 'node:path'
import {
  BuildError,
  buildFolder,
  filesIn,
  hashOf,
  packageFolder,
  pinnedVersions,
  root,
  runTool,
} from './build-part.mjs'

const nativeSource = join(root, 'src/engine/embedded/native')
const testSource = join(root, 'test/native')
/** Compiled sources, named by a hash of everything that goes into them. */
const objectsFolder = join(buildFolder, 'objects')
const addonFile = join(buildFolder, 'pipit-engine.node')
const addonFacts = join(buildFolder, 'pipit-engine.json')
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
  '-Wall',
  '-Wextra',
  '-DNAPI_VERSION=8',
  '-DNAPI_CPP_EXCEPTIONS',
]

/** Returns the addon that the service loads; undefined in a package without sources. */
export function addonPart() {
  if (!existsSync(nativeSource)) return undefined
  return {
    name: 'the engine addon',
    key: hashOf([nativeSource], environmentFacts()),
    stampFile: join(buildFolder, 'pipit-engine.stamp'),
    outputs: [addonFile, addonFacts],
    make: makeAddon,
  }
}

/** Returns the test addon: the engine's sources with another module definition. */
export function testAddonPart() {
  return {
    name: 'the test addon',
    key: hashOf([nativeSource, ...cppFiles(testSource)], environmentFacts()),
    stampFile: join(buildFolder, 'pipit-engine-test.stamp'),
    outputs: [testAddonFile],
    make: makeTestAddon,
  }
}

async function makeAddon() {
  const objects = await compileAll(cppFiles(nativeSource))
  removeOtherObjects(objects)
  await link(objects, addonFile, async (linked) => {
    writeFileSync(addonFacts, JSON.stringify(await probeAddon(linked), null, 2) + '\n')
  })
}

async function makeTestAddon() {
  const isModule = (file) => file === join(nativeSource, 'binding/addon.cc')
  const sources = cppFiles(nativeSource).filter((file) => !isModule(file))
  await link(await compileAll([...sources, ...cppFiles(testSource)]), testAddonFile)
}

function cppFiles(folder) {
  return filesIn(folder).filter((file) => file.endsWith('.cc'))
}

/** Returns the facts besides the sources that decide what the compiler makes. */
function environmentFacts() {
  const packages = [
    '@node-llama-cpp/linux-x64',
    'node-llama-cpp',
    'node-addon-api',
    'node-api-headers',
  ]
  return [...compilerFlags, ...pinnedVersions(packages), process.platform, process.arch]
}

/** Compiles the sources whose object does not exist yet, and returns the objects of all. */
async function compileAll(sources) {
  const includes = [
    nativeSource,
    await llamaHeaders(),
    join(packageFolder('node-api-headers'), 'include'),
    packageFolder('node-addon-api'),
  ].map((folder) => `-I${folder}`)
  const isHeader = (file) => file.endsWith('.h')
  const headersHash = hashOf([nativeSource], environmentFacts(), isHeader)
  mkdirSync(objectsFolder, { recursive: true })
  const compile = async (source) => {
    const hash = createHash('sha256').update(headersHash).update(readFileSync(source))
    const name = `${basename(source, '.cc')}-${hash.digest('hex').slice(0, 16)}`
    const object = join(objectsFolder, `${name}.o`)
    if (existsSync(object)) return object
    const unfinished = join(objectsFolder, `${name}-${process.pid}.o`)
    await runTool('g++', [...compilerFlags, ...includes, '-c', source, '-o', unfinished])
    renameSync(unfinished, object)
    return object
  }
  return await Promise.all(sources.map(compile))
}

function removeOtherObjects(objects) {
  for (const object of filesIn(objectsFolder)) if (!objects.includes(object)) rmSync(object)
}

/**
 * Links an addon beside the old one and renames it, because a running service keeps the old file
 * open.
 */
async function link(objects, file, check = async () => {}) {
  const libraries = librariesFolder()
  const shared = readdirSync(libraries).filter((name) =>
    /^lib(llama|ggml|ggml-base)(\.v.*)?\.so$/.test(name),
  )
  // The path is relative to the addon, so that the whole folder can be moved.
  const rpath = `-Wl,-rpath,$ORIGIN/${relative(buildFolder, libraries)}`
  const linked = `${file}-${process.pid}`
  try {
    const paths = shared.map((name) => join(libraries, name))
    await runTool('g++', ['-shared', '-o', linked, ...objects, ...paths, rpath])
    await check(linked)
    renameSync(linked, file)
  } finally {
    rmSync(linked, { force: true })
  }
}

/**
 * Loads the addon and returns the llama.cpp build that it reports; every start compares it with its
 * own.
 */
async function probeAddon(file) {
  const libraries = librariesFolder()
  const script = `const addon = { exports: {} }; process.dlopen(addon, ${JSON.stringify(file)}); console.log(addon.exports.llamaBuild())`
  const env = { ...process.env, LD_LIBRARY_PATH: libraries }
  const llamaBuild = (await runTool(process.execPath, ['-e', script], env)).trim()
  const { name, version } = JSON.parse(readFileSync(join(libraries, '../../package.json'), 'utf8'))
  return { llamaBuild, platformPackage: `${name} ${version}` }
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

function librariesFolder() {
  const name = `@node-llama-cpp/${process.platform}-${process.arch}`
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new BuildError(
      `The engine is built for Linux on x64 so far; on ${process.platform}-${process.arch} it needs ${name}, which is not set up yet.`,
    )
  }
  return join(packageFolder(name), 'bins/linux-x64')
}
