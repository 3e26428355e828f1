// Lets only one command at a time install packages or build in this folder. Plain JavaScript for Node 20 without
// packages, because it is used before any are installed.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const pollMs = 200
/** Time that a slow machine may need to install and build everything. */
const waitMaxMs = 30 * 60_000
/** Age from which a lock without a process id was left by a process that ended while it wrote it. */
const unwrittenMaxMs = 2000
/** Locks that this process holds. */
const held = new Set()

/**
 * Runs `work` while no other process holds the lock. The lock of a process that has ended does not count.
 * @template T
 * @param {string} file the lock, which holds the id of its process
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true })
  await take(file)
  try {
    return await work()
  } finally {
    held.delete(file)
    rmSync(file, { force: true })
  }
}

async function take(file) {
  const beganMs = Date.now()
  let isTold = false
  while (!create(file)) {
    const holder = holderOf(file)
    if (holder === undefined) {
      rmSync(file, { force: true })
      continue
    }
    if (Date.now() - beganMs > waitMaxMs)
      throw new Error(`${holder} still prepares this folder. End it, or delete ${file}.`)
    if (!isTold) console.error(`${holder} prepares this folder. Waiting for its end …`)
    isTold = true
    await delay(pollMs)
  }
}

/** Returns false if the lock exists. */
function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    held.add(file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** Returns the name of the process that holds the lock; undefined if it has ended. */
function holderOf(file) {
  try {
    const id = Number(readFileSync(file, 'utf8'))
    // In a container, a process often has the id of the one that was killed in the last container.
    if (id === process.pid && !held.has(file)) return undefined
    if (id > 0) return isRunning(id) ? `Process ${id}` : undefined
    return Date.now() - statSync(file).mtimeMs < unwrittenMaxMs ? 'Another process' : undefined
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function isRunning(id) {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    // The process of another user cannot be signalled.
    return error.code === 'EPERM'
  }
}
