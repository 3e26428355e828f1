import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The folder of package.json. The search goes upwards, because the bundler may move this module. */
export const packageRoot = findPackageRoot(import.meta.dirname)

/** The folder of the built developer panel, even if the service runs from its sources. */
export const panelFolder = join(packageRoot, 'dist/panel')

/**
 * The command with which the user starts this program. A clone has no `pipit` on its PATH; an installed package has.
 */
export const commandLine =
  basename(process.argv[1] ?? '') !== 'pipit' && existsSync(join(packageRoot, 'src'))
    ? 'npm run -s pipit --'
    : 'pipit'

export const bundledModelPath = join(packageRoot, 'model/svc-o1-mini.gguf')

/**
 * Returns the entry file of one of our threads or processes.
 * @param module its path under src/, without the extension; `tools/build-service.mjs` lists all of them
 */
export function entryFile(module: string): string {
  // Tests use the built files too: those load in half of the time, and vitest builds them before a run.
  const fromSources = import.meta.filename.endsWith('.ts') && process.env['VITEST'] === undefined
  return join(packageRoot, fromSources ? `src/${module}.ts` : `dist/${module}.js`)
}

function findPackageRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findPackageRoot(dirname(folder))
}
