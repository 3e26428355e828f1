import { StartError } from '../../errors.ts'
import type { GpuKind, GpuSetting } from '../engine-settings.ts'

/** The GPU kinds that llama.cpp is packaged for, by platform; `auto` prefers the first. */
const kinds: Readonly<Record<string, readonly GpuKind[]>> = {
  'linux-x64': ['cuda', 'vulkan'],
  'darwin-arm64': ['metal'],
}

type GpuPackageQuestion = {
  /** `process.platform` and `process.arch`, joined by a hyphen. */
  readonly platform: string
  /** Version of the CPU package, which the engine was built with. */
  readonly version: string
  /** Returns undefined for a package that is not installed. */
  readonly versionOf: (packageName: string) => string | undefined
}

/**
 * Returns the kind of GPU to use; undefined for the CPU.
 * @throws StartError when the configured GPU has no package, with the command that installs it
 */
export function chooseGpu(setting: GpuSetting, question: GpuPackageQuestion): GpuKind | undefined {
  const { platform, version, versionOf } = question
  const available = kinds[platform] ?? []
  const isInstalled = (kind: GpuKind): boolean => versionOf(gpuPackage(platform, kind)) === version
  switch (setting) {
    case 'off':
      return undefined
    case 'auto':
      return available.find(isInstalled)
    case 'cuda':
    case 'vulkan':
    case 'metal':
      if (!available.includes(setting))
        throw new StartError(
          `PIPIT_GPU=${setting} is not for ${platform}${setting === 'metal' ? ' but for macOS' : ''}: ` +
            `set it to ${['auto', 'off', ...available].join(' or ')}.`,
        )
      if (!isInstalled(setting)) throw new StartError(notInstalled(setting, question))
      return setting
  }
}

export function gpuPackage(platform: string, kind: GpuKind): string {
  return `@node-llama-cpp/${platform.replace('darwin', 'mac')}-${kind}`
}

/** Names the package with a second build of the backend, for when the first finds no device. */
export function fallbackPackage(platform: string, kind: GpuKind): string | undefined {
  return kind === 'cuda' ? `${gpuPackage(platform, kind)}-ext` : undefined
}

function notInstalled(kind: GpuKind, { platform, version, versionOf }: GpuPackageQuestion): string {
  const name = gpuPackage(platform, kind)
  const found = versionOf(name)
  const names = [name, fallbackPackage(platform, kind)].filter((part) => part !== undefined)
  const command = `npm install --no-save ${names.map((part) => `${part}@${version}`).join(' ')}`
  const state = found === undefined ? 'is not installed' : `is installed as ${found}`
  return `PIPIT_GPU=${kind} needs the package ${name} ${version}, which ${state}: run \`${command}\`.`
}
