// Runs before `npm start` and `npm test`: installs missing packages and builds stale parts.
// It is plain JavaScript for Node 20 without packages, because it runs before any are installed.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './build-lock.mjs'
import { BuildError, lockFile, root } from './build-part.mjs'

const wasInstalled = isInstalled()
if (!wasInstalled)
  await withLock(lockFile, () => {
    // Another command may have installed them during the wait for the lock.
    if (!isInstalled()) install()
  })
if (process.platform === 'win32') provideExec()
// The tools of the build need a newer Node than this file, and npm has just brought one.
const ownNode = join(root, 'node_modules', 'node', 'bin', 'node')
if (!wasInstalled && existsSync(ownNode)) {
  const { status } = spawnSync(ownNode, process.argv.slice(1), { stdio: 'inherit' })
  process.exitCode = status ?? 1
} else await build()

async function build() {
  const { buildIfStale } = await import('./build.mjs')
  try {
    await buildIfStale({ quiet: process.argv.includes('--quiet') })
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

function install() {
  console.error('Installing the packages of package-lock.json (about half a minute) …')
  // The tools of the build are development packages, which npm leaves out where NODE_ENV is `production`.
  const include = ['--include=dev', '--include=optional']
  run('npm', ['ci', ...include, '--no-audit', '--no-fund', '--loglevel=error'])
}

/** Compares the lock file with the copy that npm writes into node_modules after an install. */
function isInstalled() {
  const copy = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(copy)) return false
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(copy)
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || !isForThisMachine(entry) || present[path]?.integrity === entry.integrity,
  )
}

/** Returns false for optional packages of other systems, and for those that name no system. */
function isForThisMachine({ optional, os, cpu, libc }) {
  if (optional !== true) return true
  const own = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
  const hasLibc = libc === undefined || process.platform !== 'linux' || libc.includes(own)
  return os?.includes(process.platform) === true && cpu?.includes(process.arch) === true && hasLibc
}

/**
 * Writes a command `exec` for Windows, because `npm start` begins with it and the shell of Windows has none. In a POSIX
 * shell, `exec` replaces the shell with the service, which then receives the signals that npm forwards.
 */
function provideExec() {
  writeFileSync(join(root, 'node_modules', '.bin', 'exec.cmd'), '@%*\r\n')
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages
}

function run(command, args) {
  try {
    execFileSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] })
  } catch (error) {
    console.error(`\`${command} ${args.join(' ')}\` failed: ${error.message}`)
    process.exit(1)
  }
}
