import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json: above src/ and dist/, however deep the bundler has put this module. */
export const packageRoot = findPackageRoot(import.meta.dirname)

/** The built developer panel, whether the service runs from its sources or from dist/. */
export const panelFolder = join(packageRoot, 'dist/panel')

/**
 * What a thread or a process of our own begins with.
 * @param module its path under src/, without the ending; `tools/build-service.mjs` has the list of them
 */
export function entryFile(module: string): string {
  const fromSources = import.meta.filename.endsWith('.ts')
  return join(packageRoot, fromSources ? `src/${module}.ts` : `dist/${module}.js`)
}

function findPackageRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackageRoot(dirname(folder))
}
