// Checks the Python of model/ with ruff, from build/ruff/ (where .ci/run installs it) or from the PATH. Without ruff,
// it prints that the check is skipped. `node tools/check-python.mjs --fix` formats instead.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const installed = join(root, 'build', 'ruff', 'bin', 'ruff')
const ruff = existsSync(installed) ? installed : 'ruff'
const fix = process.argv.includes('--fix')

if (spawnSync(ruff, ['--version']).error) {
  console.log('skipped: the check of the Python in model/ (ruff is not installed)')
  process.exit(0)
}
run('check', ...(fix ? ['--fix'] : []))
run('format', ...(fix ? [] : ['--check']))

/** Runs ruff; ends this process with its status if it finds something. */
function run(...args) {
  const { status } = spawnSync(ruff, [...args, '--quiet'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
