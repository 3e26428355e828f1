// Code of an attacker who has taken over the engine process. `sandbox.test.ts` runs the text of this file in place of
// the engine. It prints the result of each attack: `done`, or the error's code.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import {
  chmodSync,
  readdirSync,
  readFileSync,
  readSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setPriority } from 'node:os'
import process from 'node:process'
import { getSystemErrorName } from 'node:util'
import { Worker } from 'node:worker_threads'

const [addonPath = '', testAddonPath = '', modelPath = '', port = '', folder = ''] =
  process.argv.slice(1)
/** Number of a file descriptor that this process inherits from the test. */
const inheritedFile = 50
const secret = join(folder, 'ledger.sqlite')
const short = { signal: AbortSignal.timeout(2000) }

const attacks: Record<string, () => unknown> = {
  'connect by TCP': () => once(connect(Number(port), '127.0.0.1'), 'connect', short),
  'listen on TCP': () => once(createServer().listen(0, '127.0.0.1'), 'listening', short),
  'send a datagram': () => once(createSocket('udp4').bind(0), 'listening', short),
  'connect to a Unix socket': () => once(connect(join(folder, 'socket')), 'connect', short),
  'start a program': () => {
    const { error } = spawnSync('/bin/true')
    if (error !== undefined) throw error
  },
  'signal the parent': () => process.kill(process.ppid, 0),
  'slow down the parent': () => setPriority(process.ppid, 19),
  "read the parent's environment": () => readFileSync(`/proc/${process.ppid}/environ`),
  'read the ledger': () => readFileSync(secret),
  'read an inherited file': () => readSync(inheritedFile, Buffer.alloc(1)),
  'list a folder': () => readdirSync(folder),
  'read the list of users': () => readFileSync('/etc/passwd'),
  'change a file': () => writeFileSync(secret, 'changed'),
  'create a file': () => writeFileSync(join(folder, 'created'), ''),
  'change the model': () => writeFileSync(modelPath, 'changed', { flag: 'r+' }),
  'change the mode of a file': () => chmodSync(secret, 0o777),
  'change the times of a file': () => utimesSync(secret, 0, 0),
  'remove a file': () => unlinkSync(secret),
}

/** Parts of the engine's own work, which the sandbox must allow. */
const work: Record<string, () => unknown> = {
  'read the model': () => readFileSync(modelPath).subarray(0, 4).toString(),
  'lower its own priority': () => setPriority(1),
  'start a thread': () => once(new Worker('', { eval: true }), 'exit', short),
  'read the load of the machine': () => readFileSync('/proc/meminfo'),
}

type Addon = {
  refusePrograms?: () => boolean
  disturbProcess?: (pid: number) => Record<string, number>
}
const [addon, testAddon] = [addonPath, testAddonPath].map((path) => {
  const module: { exports: Addon } = { exports: {} }
  process.dlopen(module, path)
  return module.exports
})
addon?.refusePrograms?.()
if (process.argv.includes('replace')) process.execve?.('/bin/echo', ['echo', 'replaced'], {})

const results: Record<string, string> = { launcher: process.argv.at(-1) ?? '' }
for (const [name, attempt] of Object.entries(work))
  results[`work: ${name}`] = await resultOf(attempt)
for (const [name, attempt] of Object.entries(attacks))
  results[`attack: ${name}`] = await resultOf(attempt)
for (const [way, code] of Object.entries(testAddon?.disturbProcess?.(process.ppid) ?? {}))
  results[`attack: disturb the parent by ${way}`] = code === 0 ? 'done' : getSystemErrorName(-code)
process.stdout.write(JSON.stringify(results), () => process.exit())

async function resultOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt()
    return 'done'
  } catch (error) {
    // Errors of `node:os` have the system's code in `info`.
    const { code, info } = error as { code?: string; info?: { code: string } }
    return info?.code ?? code ?? String(error)
  }
}
