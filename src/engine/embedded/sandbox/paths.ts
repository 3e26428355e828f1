import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { packageRoot } from '../../../paths.ts'
import type { EmbeddedSettings } from '../../engine-settings.ts'
import type { EngineBuild } from '../engine-build.ts'

export type SandboxSettings = EngineBuild & Pick<EmbeddedSettings, 'modelPath' | 'sandbox'>

/** Files and folders with nothing private: libraries, time zones, and descriptions of the machine. */
const systemPaths = [
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/usr/local/lib64',
  '/lib',
  '/lib64',
  '/nix/store',
  '/gnu/store',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/usr/share/zoneinfo',
  '/proc/self',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/proc/sys/vm/overcommit_memory',
  '/sys/devices/system',
  '/sys/fs/cgroup',
  '/sys/kernel/mm/transparent_hugepage',
  '/dev/null',
  '/dev/urandom',
]

/** Returns the paths that the engine process may read; a folder includes everything in it. */
export function readablePaths(settings: SandboxSettings): string[] {
  const { modelPath, addonPath, librariesPath, fallbackLibrariesPath } = settings
  return [
    ...systemPaths,
    ...ownCode(),
    ...mappedFiles(),
    addonPath,
    librariesPath,
    ...(fallbackLibrariesPath === undefined ? [] : [fallbackLibrariesPath]),
    ...modelFiles(modelPath),
  ].filter(existsSync)
}

/** Returns further paths that GPU drivers and their libraries read. */
export function gpuPaths(): string[] {
  const named = ['LD_LIBRARY_PATH', 'VK_DRIVER_FILES', 'VK_ICD_FILENAMES']
  return [
    '/usr',
    '/opt',
    '/sys',
    '/proc',
    '/etc/vulkan',
    '/etc/OpenCL',
    '/etc/nvidia',
    '/run/opengl-driver',
    ...named.flatMap((name) => (process.env[name] ?? '').split(delimiter)),
  ].filter((path) => path !== '' && existsSync(path))
}

/** Returns the device nodes of all GPUs, and `/dev/shm`, through which drivers share memory. */
export function gpuDevices(): string[] {
  return readdirSync('/dev')
    .filter((name) => /^(nvidia|nvhost|nvmap|dri$|kfd$|dxg$|shm$)/.test(name))
    .map((name) => join('/dev', name))
}

/** Returns the paths of this package's code. Omits the package's folder itself: it may contain the data folder. */
function ownCode(): string[] {
  const folders = createRequire(import.meta.url).resolve.paths('package') ?? []
  return [
    ...['package.json', 'dist', 'src'].map((name) => join(packageRoot, name)),
    ...folders.filter((folder) => basename(folder) === 'node_modules'),
  ]
}

/** Returns the files whose code runs in this process: Node and its libraries, wherever they are installed. */
function mappedFiles(): string[] {
  const maps = readFileSync('/proc/self/maps', 'utf8')
  return [...new Set([...maps.matchAll(/^\S+ r-xp .* (\/.*)$/gm)].map(([, path = '']) => path))]
}

/** Returns all files of a model. A model in several files has names like `…-00001-of-00003.gguf`. */
function modelFiles(modelPath: string): string[] {
  const [, stem, count] = /^(.*)-\d{5}-of-(\d{5})\.gguf$/.exec(basename(modelPath)) ?? []
  if (stem === undefined || count === undefined) return [modelPath]
  const isPart = (name: string): boolean =>
    name.startsWith(`${stem}-`) && name.endsWith(`-of-${count}.gguf`)
  const folder = dirname(modelPath)
  return readdirSync(folder)
    .filter(isPart)
    .map((name) => join(folder, name))
}
