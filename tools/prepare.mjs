// Begins `npm start`, `npm test` and other scripts: installs missing packages and builds stale parts. It is a part of the
// scripts, because npm skips `prestart` and the like for users who have set ignore-scripts. The scripts run it in a
// subshell, because bash would otherwise remember the Node that was found before the install, and start the service with
// it. It is plain JavaScript for Node 20 without packages, because it runs before any are installed.
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
  requireOwnNode()
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

/** @throws BuildError if npm did not install the Node of package-lock.json, and this one is too old for the service */
function requireOwnNode() {
  const names = ['node', 'node.exe'].map((name) => join(root, 'node_modules/node/bin', name))
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [minMajor = 0, minMinor = 0] = engines.node.match(/\d+/g).map(Number)
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > minMajor || (major === minMajor && minor >= minMinor)
  if (isNew || names.some(existsSync)) return
  throw new BuildError(
    `Pipit needs Node ${minMajor}.${minMinor} or newer; this is Node ${process.versions.node}, and npm did not install the one of package-lock.json, maybe because ignore-scripts is set. Run \`npm rebuild node --ignore-scripts=false\`, or install a newer Node.`,
  )
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
 * Writes a command `exec` for Windows, because `npm start` ends with it and the shell of Windows has none. In a POSIX
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
