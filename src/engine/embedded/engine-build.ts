import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartError } from '../../errors.ts'

export type EngineBuild = {
  readonly addonPath: string
  readonly librariesPath: string
  readonly llamaBuild: string
}

/**
 * The addon that `npm run build` made, and the libraries of llama.cpp that it needs.
 * @throws StartError when one of them is missing, or does not fit the other
 */
export function findEngineBuild(): EngineBuild {
  const root = packageRoot()
  const addonPath = join(root, 'build/pipit-engine.node')
  const facts = readFacts(join(root, 'build/pipit-engine.json'))
  if (!existsSync(addonPath) || facts === undefined) {
    throw new StartError('The engine is not built yet: run `npm run build`.')
  }
  const name = `@node-llama-cpp/${process.platform}-${process.arch}`
  const packagePath = findPackage(name)
  if (packagePath === undefined) {
    throw new StartError(
      `The package ${name}, which brings llama.cpp, is not installed: run npm ci.`,
    )
  }
  const { version } = JSON.parse(readFileSync(join(packagePath, 'package.json'), 'utf8'))
  if (facts.platformPackage !== `${name} ${version}`) {
    throw new StartError(
      `The engine was built with ${facts.platformPackage} and finds ${name} ${version}: run \`npm run build\`.`,
    )
  }
  const librariesPath = join(packagePath, 'bins', `${process.platform}-${process.arch}`)
  return { addonPath, librariesPath, llamaBuild: facts.llamaBuild }
}

/** The same from `src/` and from `dist/`, which lie equally deep. */
function packageRoot(): string {
  return join(import.meta.dirname, '../../..')
}

function readFacts(path: string): { llamaBuild: string; platformPackage: string } | undefined {
  if (!existsSync(path)) return undefined
  const facts: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (typeof facts !== 'object' || facts === null) return undefined
  if (!('llamaBuild' in facts) || !('platformPackage' in facts)) return undefined
  const { llamaBuild, platformPackage } = facts
  if (typeof llamaBuild !== 'string' || typeof platformPackage !== 'string') return undefined
  return { llamaBuild, platformPackage }
}

function findPackage(name: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  return folders
    .map((folder) => join(folder, name))
    .find((path) => existsSync(join(dirname(path), name.split('/')[1] ?? '', 'package.json')))
}
