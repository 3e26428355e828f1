// Keeps compiled objects of the addon outside of the checkout, so that a fresh clone links instead of compiling. The
// folder may be deleted at any time.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Maximum number of objects: enough for a few versions of the sources, with and without sanitizers. */
const objectsMax = 400

/** @returns {string} the folder, by the XDG Base Directory Specification */
function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'pipit/objects')
}

/**
 * Copies an object from the cache.
 * @param {string} key hash of all that decides its content
 * @param {string} object the path to write
 * @returns {boolean} false if the cache does not have it
 */
export function takeObject(key, object, folder = cacheFolder()) {
  const cached = join(folder, `${key}.o`)
  if (!existsSync(cached)) return false
  copyWhole(cached, object)
  ignoreRefusals(() => {
    const now = new Date()
    utimesSync(cached, now, now)
  })
  return true
}

/** Copies an object into the cache, and deletes the least recently used ones. */
export function keepObject(key, object, folder = cacheFolder()) {
  ignoreRefusals(() => {
    mkdirSync(folder, { recursive: true })
    copyWhole(object, join(folder, `${key}.o`))
    removeOldest(folder)
  })
}

/** Ignores errors of a cache that cannot be written: they cost time, but must not fail the build. */
function ignoreRefusals(change) {
  try {
    change()
  } catch (error) {
    if (!['EACCES', 'EROFS', 'ENOSPC', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(error.code))
      throw error
  }
}

function removeOldest(folder) {
  const files = readdirSync(folder).map((name) => join(folder, name))
  if (files.length <= objectsMax) return
  const age = new Map(files.map((file) => [file, statSync(file).mtimeMs]))
  files.sort((a, b) => age.get(a) - age.get(b))
  for (const file of files.slice(0, files.length - objectsMax)) rmSync(file, { force: true })
}

/** Copies a file atomically, so that another build never sees half of it. */
function copyWhole(from, to) {
  const unfinished = `${to}-${process.pid}`
  copyFileSync(from, unfinished)
  renameSync(unfinished, to)
}
