// Finds a prebuilt engine for the build, so that a clone needs no compiler.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * Returns the folder of an installed package `@pipit/engine-…` that was built from the sources of this clone.
 * @param {string} id of the platform
 * @param {'addonKey' | 'launcherKey'} name of the key in the package's facts
 * @param {string} key of the sources of this clone
 * @param {string} from file in whose folder and parent folders packages are searched; tests pass another file
 * @returns {string | undefined}
 */
export function findPrebuilt(id, name, key, from = import.meta.filename) {
  const packageName = `@pipit/engine-${id}`
  const folder = (createRequire(from).resolve.paths(packageName) ?? [])
    .map((path) => join(path, packageName))
    .find((path) => existsSync(join(path, 'pipit-engine.json')))
  if (folder === undefined) return undefined
  const facts = JSON.parse(readFileSync(join(folder, 'pipit-engine.json'), 'utf8'))
  return facts[name] === key ? folder : undefined
}
