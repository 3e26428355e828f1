// Writes the npm packages of the service and of its engine as folders and tarballs:
//
//   node tools/package/main.mjs [--target linux-arm64]... [--out FOLDER]
//
// The folder is build/packages, which is emptied first, or a new or empty one.
// An engine package is written for this machine and for each target, which needs its cross compiler.
// Plain JavaScript for Node 20, like the build.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { addonPart, engineFolder, launcherPart } from '../engine/build-addon.mjs'
import { buildIfStale } from '../build.mjs'
import { BuildError, buildFolder, buildStaleParts, root, runTool } from '../build-part.mjs'
import { bundled } from '../build-service.mjs'
import { hostId, platformIds, platformOf } from '../engine/platforms.mjs'
import { lockedPackages } from './locked-packages.mjs'

const facts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { version, description, license, engines } = facts

const ownFolder = join(buildFolder, 'packages')

/**
 * Makes an empty folder. Deletes only what is in `own`, a folder of the build.
 * @throws BuildError if another folder has files
 */
export function makeEmpty(folder, own) {
  if (folder === own) rmSync(folder, { recursive: true, force: true })
  else if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new BuildError(`${folder} is not empty. Name a new folder with --out.`)
  mkdirSync(folder, { recursive: true })
}

/** Returns the folder that the user named with --out, from the one in which npm was called. */
export function outOf(folder) {
  return folder === undefined ? undefined : resolve(process.env['INIT_CWD'] ?? '', folder)
}

/**
 * Builds what is stale, and writes all packages.
 * @param {{ targets?: string[], out?: string }} options
 * @returns {Promise<string[]>} the paths of the tarballs, the service first
 */
export async function writePackages({ targets = [], out = ownFolder } = {}) {
  makeEmpty(out, ownFolder)
  await buildIfStale({ quiet: true })
  const folders = [writeService(out)]
  for (const id of new Set([hostId, ...targets])) folders.push(await writeEngine(id, out))
  const tarballs = []
  for (const folder of folders) tarballs.push(await pack(folder, out))
  return tarballs
}

function writeService(out) {
  const folder = join(out, 'pipit')
  // Source maps would be half of the package. A stack trace names the file and the function without them.
  const isShipped = (file) => !file.endsWith('.map')
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: isShipped })
  const documents = ['docs', 'LICENSE', 'README.md', 'SECURITY.md']
  const model = ['model/svc-o1-mini.gguf', 'model/MODEL_CARD.md']
  for (const path of [...documents, ...model])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  writeFileSync(join(folder, 'LICENSES-bundled.txt'), licencesOf(lockedPackages(bundled)))
  writeFacts(folder, {
    name: 'pipit',
    version,
    description,
    license,
    type: 'module',
    bin: { pipit: 'dist/cli/main.js' },
    man: ['./docs/pipit.1'],
    engines,
    dependencies: Object.fromEntries(
      Object.entries(facts.dependencies).filter(([name]) => !bundled.includes(name)),
    ),
    optionalDependencies: Object.fromEntries(
      platformIds.map((id) => [`@pipit/engine-${id}`, version]),
    ),
  })
  return folder
}

/** Returns the licences of packages, which ask that each copy has them. */
function licencesOf(paths) {
  const texts = paths.toSorted().map((path) => {
    const {
      name,
      version: own,
      license: kind,
    } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    const file = readdirSync(join(root, path)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
    const text = file === undefined ? '' : readFileSync(join(root, path, file), 'utf8').trim()
    return `${name} ${own} (${kind})\n\n${text}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

async function writeEngine(id, out) {
  const { os, cpu, libc, llamaPackage } = platformOf(id)
  const parts = [addonPart(id), launcherPart(id)].filter((part) => part !== undefined)
  await buildStaleParts(parts, true)
  const folder = join(out, `engine-${id}`)
  mkdirSync(folder)
  for (const file of parts.flatMap(({ outputs }) => outputs))
    cpSync(file, join(folder, file.slice(engineFolder(id).length + 1)))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const purpose = `The engine of Pipit ${version} for ${id}. Install the package pipit, which brings it.`
  writeFileSync(join(folder, 'README.md'), `# @pipit/engine-${id}\n\n${purpose}\n`)
  writeFacts(folder, {
    name: `@pipit/engine-${id}`,
    version,
    description: purpose,
    license,
    os: [os],
    cpu: [cpu],
    ...(libc === undefined ? {} : { libc: [libc] }),
    // All platform packages have the same version.
    dependencies: { [llamaPackage]: facts.optionalDependencies['@node-llama-cpp/linux-x64'] },
  })
  return folder
}

function writeFacts(folder, packageFacts) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageFacts, null, 2)}\n`)
}

async function pack(folder, out) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', out, folder]
  const printed = JSON.parse(await runTool(npm, options))
  // Newer versions of npm print an object by name instead of a list.
  const [{ filename }] = Object.values(printed)
  return join(out, filename)
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { target: { type: 'string', multiple: true }, out: { type: 'string' } },
  })
  try {
    const tarballs = await writePackages({ targets: values.target, out: outOf(values.out) })
    for (const tarball of tarballs) console.log(tarball)
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
