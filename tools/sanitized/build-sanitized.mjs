// Builds a package folder, build/sanitized/, whose addons report memory errors and undefined
// behaviour. The service finds its files below its package folder, so tests that run there use these
// addons, and the service needs no switch for them.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { sanitizedFolder, sanitizedPart } from '../engine/build-addon.mjs'
import { buildFolder, buildStaleParts, root, runTool } from '../build-part.mjs'

/** Folder of the error reports. Each process writes a file of its own. */
export const reportsFolder = join(sanitizedFolder, 'reports')

const copied = ['package.json', 'tsconfig.json', 'dist', 'src', 'test']

/**
 * Builds what is stale and copies the sources.
 * @returns {Promise<{ folder: string, environment: Record<string, string> }>} the environment of
 * processes that load a sanitized addon
 */
export async function buildSanitized() {
  await buildStaleParts([sanitizedPart()], true)
  for (const name of copied) replaceCopy(name)
  rmSync(join(sanitizedFolder, 'model'), { force: true })
  symlinkSync(join(root, 'model'), join(sanitizedFolder, 'model'))
  cpSync(join(buildFolder, 'pipit-engine.json'), join(sanitizedFolder, 'build/pipit-engine.json'))
  rmSync(reportsFolder, { recursive: true, force: true })
  mkdirSync(reportsFolder)
  const environment = await sanitizerEnvironment()
  writeLauncher(environment)
  return { folder: sanitizedFolder, environment }
}

/** Copies a file or folder without the long tests, which the long suite would find a second time. */
function replaceCopy(name) {
  const copy = join(sanitizedFolder, name)
  rmSync(copy, { recursive: true, force: true })
  const filter = (path) => !path.endsWith('.long.test.ts')
  cpSync(join(root, name), copy, { recursive: true, filter })
}

/** Returns the environment that loads the sanitizer's library before all others. Node does not load it. */
async function sanitizerEnvironment() {
  const pathOf = async (library) =>
    realpathSync((await runTool('g++', [`-print-file-name=${library}`])).trim())
  const libraries = [await pathOf('libasan.so'), await pathOf('libstdc++.so.6')]
  return {
    LD_PRELOAD: libraries.join(' '),
    // Leaks are not reported, because Node frees little of its memory when it ends.
    ASAN_OPTIONS: 'detect_leaks=0:detect_stack_use_after_return=1:strict_string_checks=1',
    UBSAN_OPTIONS: 'print_stacktrace=1',
  }
}

/**
 * Writes the launcher of this folder. The service gives the engine process a fixed environment, so
 * the launcher adds the sanitizers to it; it then runs the real launcher.
 */
function writeLauncher(environment) {
  const launcher = join(sanitizedFolder, 'build/pipit-sandbox')
  const settings = Object.entries(environment).map(([name, value]) => `${name}='${value}'`)
  const real = join(buildFolder, basename(launcher))
  const script = [
    '#!/bin/bash',
    `exec 2> >(exec 3>&-; exec tee "${reportsFolder}/engine-$$.txt" >&2)`,
    `exec env ${settings.join(' ')} "${real}" "$@"`,
  ]
  writeFileSync(launcher, `${script.join('\n')}\n`)
  chmodSync(launcher, 0o755)
}
