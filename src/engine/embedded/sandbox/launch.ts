import { gpuDevices, gpuPaths, readablePaths, type SandboxSettings } from './paths.ts'

/** The program that starts the engine process, and its arguments before the main module. */
type Launch = { readonly execPath: string; readonly execArgv: string[] }

/** Returns Node itself, or the launcher that starts Node inside the sandbox. */
export function launchOf(settings: SandboxSettings, nodeOptions: readonly string[]): Launch {
  const { launcherPath, gpu } = settings
  if (!settings.sandbox || launcherPath === undefined)
    return { execPath: process.execPath, execArgv: [...nodeOptions] }
  const paths = readablePaths(settings)
  const gpuOptions =
    gpu === undefined
      ? []
      : ['--gpu', ...optionsOf('--read', gpuPaths()), ...optionsOf('--device', gpuDevices())]
  return {
    execPath: launcherPath,
    execArgv: [
      ...gpuOptions,
      ...optionsOf('--read', paths),
      '--',
      process.execPath,
      // Node refuses to start if it cannot read OpenSSL's default configuration file, whose path differs by system.
      '--openssl-config=/dev/null',
      ...nodeOptions,
    ],
  }
}

function optionsOf(name: string, paths: readonly string[]): string[] {
  return paths.flatMap((path) => [name, path])
}
