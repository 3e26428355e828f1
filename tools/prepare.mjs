// Runs before `npm start` and `npm test`: installs missing packages and builds stale parts.
// It is plain JavaScript for Node 20 without packages, because it runs before any are installed.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

if (!isInstalled()) {
  console.error('Installing the packages of package-lock.json (about half a minute) …')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
}
const { buildIfStale } = await import('./build.mjs')
await buildIfStale({ quiet: process.argv.includes('--quiet') })

/** Compares the lock file with the copy that npm writes into node_modules after an install. */
function isInstalled() {
  const copy = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(copy)) return false
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(copy)
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || entry.optional === true || present[path]?.integrity === entry.integrity,
  )
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
