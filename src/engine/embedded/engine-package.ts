import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { StartError } from '../../errors.ts'
import { packageRoot } from '../../paths.ts'
import { version } from '../../version.ts'

type FoundPackage = { readonly path: string; readonly version: string }

/**
 * Returns the folder with the addon and its facts: build/ in a clone, otherwise the package that npm
 * installs for this platform.
 * @param root folder of this package; tests pass others
 * @throws StartError with the remedy
 */
export function findEngineFolder(platform: string, root = packageRoot): string {
  const built = join(root, 'build')
  if (existsSync(join(built, 'pipit-engine.node'))) return built
  if (existsSync(join(root, 'src')))
    throw new StartError('The engine is not built yet: run `npm run build`.')
  const name = `@pipit/engine-${platform}`
  const found = findPackage(name, join(root, 'package.json'))
  if (found?.version === version) return found.path
  const wanted = `${name}@${version}`
  if (found !== undefined)
    throw new StartError(
      `Pipit ${version} needs ${name} ${version} and finds ${found.version}: run \`npm install ${wanted}\`.`,
    )
  const offered = enginePackages(root)
  if (!offered.includes(name)) {
    const platforms = offered.map((other) => other.replace('@pipit/engine-', ''))
    throw new StartError(
      `Pipit has no engine for ${platform}, only for ${platforms.join(', ')}: run it on one of these.`,
    )
  }
  throw new StartError(
    `The package ${name} is not installed, because optional packages were left out or the lock file is ` +
      `from another system: run \`npm install ${wanted}\`, with -g if Pipit is installed globally.`,
  )
}

/**
 * Names the platform as the engine's packages do. Those for glibc have no suffix.
 * @param libcVersion version of glibc; undefined for musl
 */
export function enginePlatform(
  platform: string = process.platform,
  cpu: string = process.arch,
  libcVersion = glibcVersion(),
): string {
  const isMusl = platform === 'linux' && libcVersion === undefined
  return `${platform}-${cpu}${isMusl ? '-musl' : ''}`
}

/**
 * Finds an installed package as seen from a file. Checks the name inside the package: an npm override
 * may have installed another package under this name.
 */
export function findPackage(name: string, from: string): FoundPackage | undefined {
  const folders = createRequire(realpathSync(from)).resolve.paths(name) ?? []
  const path = folders
    .map((folder) => join(folder, name))
    .find((candidate) => existsSync(join(candidate, 'package.json')))
  if (path === undefined) return undefined
  const facts = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  return facts.name === name ? { path: realpathSync(path), version: facts.version } : undefined
}

function enginePackages(root: string): string[] {
  const { optionalDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as { optionalDependencies?: Record<string, string> }
  return Object.keys(optionalDependencies).filter((name) => name.startsWith('@pipit/engine-'))
}

function glibcVersion(): string | undefined {
  // Without this, the report looks up the host names of network connections.
  Object.assign(process.report, { excludeNetwork: true })
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime
}
