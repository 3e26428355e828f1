// Writes a release that needs neither Node nor npm: one archive for each platform, with Node inside,
// their checksums, and the script that installs them:
//
//   npm run release -- [--target linux-arm64]... [--url https://example.com/pipit] [--out FOLDER]
//
// The folder is build/release, which is emptied first, or a new or empty one.
// Upload the folder as it is. With --url, the script knows where it was uploaded. An archive is written
// for this machine, or for each target; another platform's engine needs its cross compiler.
// Plain JavaScript for Node 20, like the build.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { BuildError, buildFolder, packageFolder, root, runTool } from '../build-part.mjs'
import { hostId, platformOf } from '../engine/platforms.mjs'
import { lockedPackages } from './locked-packages.mjs'
import { makeEmpty, outOf, writePackages } from './main.mjs'

const { version, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const installer = 'install.sh'
const ownFolder = join(buildFolder, 'release')

/** Script that runs the service with the Node of the archive. It works wherever the folder is, and through links. */
const launcher = `#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/node" "$here/../lib/pipit/dist/cli/main.js" "$@"
`

/**
 * Builds what is stale, and writes the release.
 * @param {{ targets?: string[], url?: string, out?: string }} options
 * @returns {Promise<string[]>} the paths of the archives
 */
export async function writeRelease(options = {}) {
  const { targets = [hostId], url = '', out = ownFolder } = options
  for (const id of targets) checkTarget(id)
  checkUrl(url)
  makeEmpty(out, ownFolder)
  const packages = join(out, 'packages')
  await writePackages({ targets, out: packages })
  const archives = []
  for (const id of targets) archives.push(await writeArchive(id, packages, out))
  rmSync(packages, { recursive: true })
  writeFileSync(join(out, 'SHA256SUMS'), archives.map(checksumLine).join(''))
  const script = readFileSync(join(root, 'deploy', installer), 'utf8')
  writeFileSync(join(out, installer), script.replace("release_url=''", `release_url='${url}'`))
  return archives
}

async function writeArchive(id, packages, out) {
  const name = `pipit-${version}-${id}`
  const folder = join(out, name)
  writeService(id, packages, join(folder, 'lib/pipit'))
  await writeNode(id, folder)
  writeFileSync(join(folder, 'bin/pipit'), launcher)
  chmodSync(join(folder, 'bin/pipit'), 0o755)
  mkdirSync(join(folder, 'share/man/man1'), { recursive: true })
  cpSync(join(root, 'docs/pipit.1'), join(folder, 'share/man/man1/pipit.1'))
  const archive = `${folder}.tar.gz`
  // Makes the archive reproducible: the order, owners and times of the files are fixed, as npm does.
  const fixed = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=1985-10-26Z']
  const modes = ['--mode=u+rwX,go+rX,go-w']
  const compress = { ...process.env, GZIP: '-9n' }
  await runTool('tar', [...fixed, ...modes, '-czf', archive, '-C', out, name], compress)
  rmSync(folder, { recursive: true })
  return archive
}

/** Writes the service with its engine and its packages, without files that it does not need at run time. */
function writeService(id, packages, folder) {
  cpSync(join(packages, 'pipit'), folder, { recursive: true })
  const modules = join(folder, 'node_modules')
  cpSync(join(packages, `engine-${id}`), join(modules, `@pipit/engine-${id}`), { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  for (const path of lockedPackages([...Object.keys(dependencies), platformOf(id).llamaPackage]))
    copyPackage(path, join(folder, path), id)
}

function copyPackage(path, to, id) {
  const from = join(root, path)
  cpSync(from, to, {
    recursive: true,
    filter: (file) => isNeeded(file.slice(from.length + 1), path.split('node_modules/').at(-1), id),
  })
}

/** @param file path inside of a package; '' is the package itself */
function isNeeded(file, name, id) {
  // A nested package is copied separately, if the service needs it.
  if (/^node_modules($|\/)/.test(file)) return false
  if (/(^|\/)(tests?|benchmarks?|examples?|\.github)(\/|$)/.test(file)) return false
  if (/\.(map|d\.[cm]?ts)$/.test(file)) return false
  if (name === 'better-sqlite3') return isNeededOfSqlite(file, id)
  // Leaves out the package's own addon, and a library that only that addon uses.
  if (name === platformOf(id).llamaPackage) return !/llama-addon\.node|libllama-common/.test(file)
  return true
}

/** Leaves out the files of better-sqlite3 that a release does not need: other platforms' addons, and C sources. */
function isNeededOfSqlite(file, id) {
  if (/^prebuilds\/./.test(file)) return file === `prebuilds/${id}.node`
  return !/^(deps|src|binding\.gyp)/.test(file)
}

/** Copies Node, without the symbols that only a debugger reads, and its licence. */
async function writeNode(id, folder) {
  const from = await nodeFolder(id)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  cpSync(join(from, 'bin/node'), join(folder, 'bin/node'))
  cpSync(join(from, 'LICENSE'), join(folder, 'LICENSE-node'))
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  // A cross compiler comes with its own strip.
  const { crossCompiler = 'g++' } = platformOf(id)
  const strip = (id === hostId ? 'g++' : crossCompiler).replace('g++', 'strip')
  await runTool(strip, [join(folder, 'bin/node')])
}

/** Returns the npm package with the Node of package.json for a platform, installed if it is missing. */
async function nodeFolder(id) {
  const name = `node-${id}`
  const present = join(packageFolder('node'), 'node_modules', name)
  if (existsSync(join(present, 'bin/node'))) return present
  const folder = join(buildFolder, name)
  const { os, cpu } = platformOf(id)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
  const platform = ['--force', '--prefer-offline', `--os=${os}`, `--cpu=${cpu}`]
  const wanted = `${name}@${devDependencies.node}`
  await runTool('npm', ['install', '--prefix', folder, ...quiet, ...platform, wanted])
  return join(folder, 'node_modules', name)
}

function checksumLine(archive) {
  const hash = createHash('sha256').update(readFileSync(archive)).digest('hex')
  return `${hash}  ${basename(archive)}\n`
}

function checkTarget(id) {
  if (platformOf(id).os !== 'linux')
    throw new BuildError(`Releases are for Linux so far, and not for ${id}.`)
}

/** @throws BuildError for a URL that install.sh refuses */
export function checkUrl(url) {
  // The URL is written between quotes in a shell script.
  const accepted = /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])[\w.:/~[\]-]+$/
  if (url !== '' && !accepted.test(url))
    throw new BuildError(
      `--url needs an https address without a query, or http on this machine, not ${url}.`,
    )
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', multiple: true },
      url: { type: 'string' },
      out: { type: 'string' },
    },
  })
  try {
    const { target: targets, url, out } = values
    const archives = await writeRelease({ targets, url, out: outOf(out) })
    const folder = dirname(archives[0])
    for (const name of readdirSync(folder)) console.log(join(folder, name))
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
