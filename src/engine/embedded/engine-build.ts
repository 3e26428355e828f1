import { strict as assert } from 'node:assert'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { StartError } from '../../errors.ts'
import type { GpuKind, GpuSetting } from '../engine-settings.ts'
import { enginePlatform, findEngineFolder, findPackage } from './engine-package.ts'
import { chooseGpu, fallbackPackage, gpuPackage } from './gpu-package.ts'

/** The addon and the libraries of llama.cpp that the engine process loads. */
export type EngineBuild = {
  readonly addonPath: string
  readonly librariesPath: string
  /** Folder with a second build of the GPU backend, for when the one in `librariesPath` finds no device. */
  readonly fallbackLibrariesPath: string | undefined
  /** The GPU to use; undefined for the CPU. If it is not `required` and not found, the CPU is used. */
  readonly gpu: { readonly kind: GpuKind; readonly required: boolean } | undefined
  /** The program that starts the engine process in its sandbox; undefined on systems without one. */
  readonly launcherPath: string | undefined
  /** The llama.cpp version that the addon was built with; any other is refused. */
  readonly llamaBuild: string
}

/**
 * Finds the addon that `npm run build` made and the libraries of llama.cpp that it needs.
 * @throws StartError when one of them is missing, or when they do not match
 */
export function findEngineBuild(gpuSetting: GpuSetting = 'off'): EngineBuild {
  const folder = findEngineFolder(enginePlatform())
  const addonPath = join(folder, 'pipit-engine.node')
  const facts = readFacts(join(folder, 'pipit-engine.json'))
  if (facts === undefined)
    throw new StartError(`${folder} has no facts of the engine: run \`npm run build\`.`)
  const [name = '', builtWith = ''] = facts.platformPackage.split(' ')
  const platform = `${process.platform}-${process.arch}`
  // llama.cpp is a dependency of the engine's package, so the search starts there; a clone has both in one place.
  const findBeside = (packageName: string) => findPackage(packageName, addonPath)
  const cpuPackage = findBeside(name)
  if (cpuPackage === undefined) {
    throw new StartError(
      `The package ${name} ${builtWith}, which brings llama.cpp, is not installed: run \`npm ci\` in a clone, or \`npm install ${name}@${builtWith}\`.`,
    )
  }
  const { version } = cpuPackage
  if (version !== builtWith) {
    throw new StartError(
      `The engine was built with ${facts.platformPackage} and finds ${name} ${version}: run \`npm run build\` in a clone, or \`npm install ${name}@${builtWith}\`.`,
    )
  }
  const { llamaBuild } = facts
  const launcher = join(folder, 'pipit-sandbox')
  const launcherPath = process.platform === 'linux' && existsSync(launcher) ? launcher : undefined
  const kind = chooseGpu(gpuSetting, {
    platform,
    version,
    versionOf: (packageName) => findBeside(packageName)?.version,
  })
  if (kind === undefined) {
    const librariesPath = join(cpuPackage.path, 'bins', basename(name))
    return {
      addonPath,
      launcherPath,
      llamaBuild,
      librariesPath,
      fallbackLibrariesPath: undefined,
      gpu: undefined,
    }
  }
  const gpu = { kind, required: gpuSetting !== 'auto' }
  return {
    addonPath,
    launcherPath,
    llamaBuild,
    gpu,
    ...findGpuLibraries(platform, kind, version, findBeside),
  }
}

/** Follows the layout of node-llama-cpp, where a GPU package contains all of llama.cpp. */
function findGpuLibraries(
  platform: string,
  kind: GpuKind,
  version: string,
  findBeside: (packageName: string) => ReturnType<typeof findPackage>,
): Pick<EngineBuild, 'librariesPath' | 'fallbackLibrariesPath'> {
  const packageName = gpuPackage(platform, kind)
  const fallbackName = fallbackPackage(platform, kind)
  const chosen = findBeside(packageName)
  const fallback = fallbackName === undefined ? undefined : findBeside(fallbackName)
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
