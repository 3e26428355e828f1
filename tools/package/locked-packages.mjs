// Finds the packages that the service needs at run time, from package-lock.json and node_modules/. Plain JavaScript for
// Node 20, like the build.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BuildError, root } from '../build-part.mjs'

/**
 * Returns the folders of packages and of all their dependencies, relative to the repository. A package nested in
 * another one keeps its place, because another version may be installed above it.
 * @param {string[]} names
 * @returns {string[]} such as node_modules/fastify
 * @throws BuildError if one is not installed in the version of the lock file
 */
export function lockedPackages(names) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const found = new Set()
  const visit = (name, from) => {
    const path = placeOf(name, from, packages)
    if (path === undefined) throw missing(name)
    if (found.has(path)) return
    checkInstalled(path, packages[path])
    found.add(path)
    for (const next of Object.keys(packages[path].dependencies ?? {})) visit(next, path)
  }
  for (const name of names) visit(name, '')
  return [...found]
}

/** Returns the folder in which Node finds a package: the nearest node_modules/ above `from`. */
function placeOf(name, from, packages) {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name)
    if (packages[path] !== undefined) return path
    if (folder === '' || folder === '.') return undefined
  }
}

function checkInstalled(path, { version }) {
  const file = join(root, path, 'package.json')
  const isInstalled = existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version
  if (!isInstalled) throw missing(`${path} ${version}`)
}

function missing(name) {
  return new BuildError(`The release needs ${name}, which is not installed: run npm ci.`)
}
