// Runs before `npm start` and `npm test`: installs missing packages and builds stale parts.
// It is plain JavaScript for Node 20 without packages, because it runs before any are installed.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './build-lock.mjs'
import { BuildError, lockFile, root } from './build-part.mjs'

requireNode()
try {
  if (!isInstalled())
    await withLock(lockFile, () => {
      // Another command may have installed them during the wait for the lock.
      if (!isInstalled()) install()
    })
  if (process.platform === 'win32') provideExec()
  const { buildIfStale } = await import('./build.mjs')
  await buildIfStale({ quiet: process.argv.includes('--quiet') })
} catch (error) {
  if (!(error instanceof BuildError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/**
 * Ends with a sentence on a Node for which npm would leave out packages of the build, which name 20.19 or 22.12. Once
 * they are installed, the Node among them runs this file.
 */
function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return
  console.error(
    `Pipit needs Node 20.19, 22.12 or newer for its first start; this is Node ${process.versions.node}. Install a newer one.`,
  )
  process.exit(1)
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
