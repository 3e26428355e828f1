// Builds everything that is not in the repository: the engine's addon (build/), the compiled
// service (dist/) and the developer panel (dist/panel/). `npm run build` runs this file; the other
// scripts call `buildIfStale`. It is plain JavaScript for Node 20, because it runs before any newer
// Node is installed.
import { pathToFileURL } from 'node:url'
import { addonPart, launcherPart, testAddonPart } from './engine/build-addon.mjs'
import { BuildError, buildStaleParts } from './build-part.mjs'
import { panelPart, servicePart } from './build-service.mjs'

/**
 * Builds the parts whose inputs have changed.
 * @param {{ quiet?: boolean }} options quiet: print progress only for parts that take longer than
 * two seconds
 * @returns {Promise<string[]>} the names of the parts that were built
 */
export async function buildIfStale({ quiet = false } = {}) {
  return await buildStaleParts(shippedParts(), quiet)
}

/** Also builds the addon through which tests call single C++ functions. */
export async function buildForTests() {
  await buildStaleParts([...shippedParts(), testAddonPart()], true)
}

/** Returns the parts of a release; in a package without sources, those that are there. */
function shippedParts() {
  const parts = [addonPart(), launcherPart(), servicePart(), panelPart()]
  return parts.filter((part) => part !== undefined)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
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
