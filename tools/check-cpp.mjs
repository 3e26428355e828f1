// Checks the formatting of the C++ sources with clang-format 14, the version of Debian 12. Other
// versions format some lines differently, so they are skipped.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { filesIn, root } from './build-part.mjs'

const requiredVersion = 14
const folders = ['src/engine/embedded/native', 'test/native', 'test/faults/power-loss']
const sources = folders
  .flatMap((folder) => filesIn(join(root, folder)))
  .filter((file) => /\.(cc|h)$/.test(file))

const version = installedVersion()
if (version === requiredVersion) checkFormat()
else {
  const found = version === undefined ? 'it is not installed' : `version ${version} is installed`
  console.log(`skipped: the check of the C++ with clang-format ${requiredVersion} (${found})`)
}

function installedVersion() {
  try {
    const text = execFileSync('clang-format', ['--version'], { encoding: 'utf8' })
    return Number(/version (\d+)/.exec(text)?.[1])
  } catch {
    return undefined
  }
}

function checkFormat() {
  try {
    execFileSync('clang-format', ['--dry-run', '-Werror', ...sources], { stdio: 'inherit' })
  } catch {
    console.error('Format the C++ sources: clang-format -i FILE')
    process.exitCode = 1
  }
}
