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

const needsRights = "Give your user access to the folder, or run it as the folder's owner."
const remedies = {
  EACCES: needsRights,
  EPERM: needsRights,
  EROFS: 'Mount the folder so that it can be written.',
  ENOSPC: 'Free space on the disk.',
}

/** A build failure; the message is one sentence for the user. */
export class BuildError extends Error {
  name = 'BuildError'
}

/**
 * Runs `work` while no other process holds the lock. The lock of a process that has ended does not count.
 * @template T
 * @param {string} file the lock, which holds the id of its process and, on Linux, its start
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 * @throws BuildError when the lock cannot be written, or another process holds it for half an hour
 */
export async function withLock(file, work) {
  try {
    mkdirSync(dirname(file), { recursive: true })
    await take(file)
  } catch (error) {
    const remedy = remedies[error.code]
    if (remedy === undefined) throw error
    throw new BuildError(`The build cannot write ${file} (${error.code}). ${remedy}`)
  }
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
      throw new BuildError(`${holder} still prepares this folder. End it, or delete ${file}.`)
    if (!isTold) console.error(`${holder} prepares this folder. Waiting for its end …`)
    isTold = true
    await delay(pollMs)
  }
}

/** Returns false if the lock exists. */
function create(file) {
  try {
    writeFileSync(file, `${process.pid} ${startOf(process.pid) ?? ''}`, { flag: 'wx' })
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
    const [first, ...start] = readFileSync(file, 'utf8').split(' ')
    const id = Number(first)
    // In a container, a process often has the id of the one that was killed in the last container.
    if (id === process.pid && !held.has(file)) return undefined
    if (id > 0) return isRunning(id, start.join(' ')) ? `Process ${id}` : undefined
    return Date.now() - statSync(file).mtimeMs < unwrittenMaxMs ? 'Another process' : undefined
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** @param {string} start of the process that wrote the lock; empty where the system does not tell it */
function isRunning(id, start) {
  try {
    process.kill(id, 0)
  } catch (error) {
    // The process of another user cannot be signalled.
    if (error.code !== 'EPERM') return false
  }
  // After a crash of the machine, or in a container, another process may have the id.
  const present = startOf(id)
  return start === '' || present === undefined || present === start
}

/** Returns the start of a process in ticks since the machine's, and the id of that; undefined without Linux's /proc. */
function startOf(id) {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    // The second field is the name of the program in parentheses, which may have spaces. The start is the 22nd.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${ticks} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
  } catch {
    return undefined
  }
}
