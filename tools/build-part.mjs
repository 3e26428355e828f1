// Rules for every part of the build: a part is built again when its inputs change. Plain JavaScript for Node 20, like
// everything that `npm run build` runs.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { BuildError, withLock } from './build-lock.mjs'

export { BuildError }

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Folder of build products that the service does not serve, such as the addon. It can be deleted at any time. */
export const buildFolder = join(root, 'build')
/** Held by the command that installs packages or builds. */
export const lockFile = join(buildFolder, 'lock')

const require = createRequire(import.meta.url)
const execute = promisify(execFile)

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {string} key a hash of all inputs
 * @property {string} stampFile file with the key of the last build
 * @property {string[]} outputs
 * @property {() => Promise<void>} make
 * @property {() => string} [remark] a line to print after the build
 */

/**
 * Builds the parts whose inputs have changed.
 * @param {Part[]} parts
 * @param {boolean} quiet print progress only for parts that take longer than two seconds
 * @returns {Promise<string[]>} the names of the parts that were built
 */
export async function buildStaleParts(parts, quiet) {
  if (parts.every(isFresh)) return []
  return await withLock(lockFile, async () => {
    const built = []
    for (const part of parts) {
      // Another command may have built it during the wait for the lock.
      if (isFresh(part)) continue
      await withProgress(part.name, quiet, part.make)
      if (!quiet && part.remark !== undefined) console.error(part.remark())
      writeFileSync(part.stampFile, part.key)
      built.push(part.name)
    }
    return built
  })
}

function isFresh({ key, stampFile, outputs }) {
  return (
    outputs.every(existsSync) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === key
  )
}

async function withProgress(name, quiet, make) {
  const announce = () => console.error(`Building ${name} …`)
  if (!quiet) announce()
  const timer = quiet ? setTimeout(announce, 2000) : undefined
  try {
    await make()
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a SHA-256 over `facts` and the names and contents of the files under `paths`. */
export function hashOf(paths, facts, isInput = () => true) {
  const hash = createHash('sha256').update(facts.join('\n'))
  for (const path of paths) {
    for (const file of filesIn(path).filter(isInput)) {
      hash.update(`\n${relative(root, file)}\n`).update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

/** Returns the files under a folder, sorted by path. For a path of a file, returns that path alone. */
export function filesIn(path) {
  const entries = readdirSync(dirname(path), { withFileTypes: true })
  const self = entries.find((entry) => join(dirname(path), entry.name) === path)
  if (!self?.isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)))
}

/**
 * Returns each package with its exact version from package.json. Does not read installed packages, so a finished build
 * does not become stale when its build tools are not installed.
 */
export function pinnedVersions(names) {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const pins = { ...devDependencies, ...optionalDependencies, ...dependencies }
  return names.map((name) => `${name} ${pins[name]}`)
}

/** @throws BuildError when the package is not installed */
export function packageFolder(name) {
  for (const folder of require.resolve.paths(name) ?? []) {
    if (existsSync(join(folder, name, 'package.json'))) return join(folder, name)
  }
  throw new BuildError(`The build needs the package ${name}, which is not installed: run npm ci.`)
}

/**
 * Runs a program and returns its standard output.
 * @throws BuildError with the program's own output
 */
export async function runTool(command, args, env = process.env) {
  try {
    const options = { cwd: root, maxBuffer: 16 * 1024 * 1024, env }
    return (await execute(command, args, options)).stdout
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
