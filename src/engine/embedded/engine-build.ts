import { strict as assert } from 'node:assert'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { StartError } from '../../errors.ts'
import { packageRoot } from '../../paths.ts'
import type { GpuKind, GpuSetting } from '../engine-settings.ts'
import { chooseGpu, fallbackPackage, gpuPackage } from './gpu-package.ts'
import type { EngineBuild } from './ipc.ts'

/**
 * Finds the addon that `npm run build` made and the libraries of llama.cpp that it needs.
 * @throws StartError when one of them is missing, or when they do not match
 */
export function findEngineBuild(gpuSetting: GpuSetting = 'off'): EngineBuild {
  const addonPath = join(packageRoot, 'build/pipit-engine.node')
  const facts = readFacts(join(packageRoot, 'build/pipit-engine.json'))
  if (!existsSync(addonPath) || facts === undefined) {
    throw new StartError('The engine is not built yet: run `npm run build`.')
  }
  const platform = `${process.platform}-${process.arch}`
  const name = `@node-llama-cpp/${platform}`
  const cpuPackage = findPackage(name)
  if (cpuPackage === undefined) {
    throw new StartError(
      `The package ${name}, which brings llama.cpp, is not installed: run \`npm ci\`.`,
    )
  }
  const { version } = cpuPackage
  if (facts.platformPackage !== `${name} ${version}`) {
    throw new StartError(
      `The engine was built with ${facts.platformPackage} and finds ${name} ${version}: run \`npm run build\`.`,
    )
  }
  const { llamaBuild } = facts
  const kind = chooseGpu(gpuSetting, {
    platform,
    version,
    versionOf: (packageName) => findPackage(packageName)?.version,
  })
  if (kind === undefined) {
    const librariesPath = join(cpuPackage.path, 'bins', platform)
    return {
      addonPath,
      llamaBuild,
      librariesPath,
      fallbackLibrariesPath: undefined,
      gpu: undefined,
    }
  }
  const gpu = { kind, required: gpuSetting !== 'auto' }
  return { addonPath, llamaBuild, gpu, ...findGpuLibraries(platform, kind, version) }
}

/** Follows the layout of node-llama-cpp, where a GPU package contains all of llama.cpp. */
function findGpuLibraries(
  platform: string,
  kind: GpuKind,
  version: string,
): Pick<EngineBuild, 'librariesPath' | 'fallbackLibrariesPath'> {
  const packageName = gpuPackage(platform, kind)
  const fallbackName = fallbackPackage(platform, kind)
  const chosen = findPackage(packageName)
  const fallback = fallbackName === undefined ? undefined : findPackage(fallbackName)
  assert(chosen?.version === version, 'the chosen package is installed')
  const folder = join('bins', basename(packageName))
  return {
    librariesPath: join(chosen.path, folder),
    fallbackLibrariesPath:
      fallback?.version === version ? join(fallback.path, folder, 'fallback') : undefined,
  }
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

/** Checks the name inside the package: an npm override may have installed another one under it. */
function findPackage(name: string): { path: string; version: string } | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? []
  const path = folders
    .map((folder) => join(folder, name))
    .find((candidate) => existsSync(join(candidate, 'package.json')))
  if (path === undefined) return undefined
  const facts = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  return facts.name === name ? { path, version: facts.version } : undefined
}
