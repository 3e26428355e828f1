// Starts a service with the command line in its arguments, asks it one question and stops it:
//
//   node first-reply.mjs npx pipit serve
//
// Prints the reply, the seconds to it and the addresses of this machine as JSON. This is a separate program, because
// the service may run as another user and without a network.
import { spawn } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { askBundled } from './ask-bundled.mjs'

const [command, ...args] = process.argv.slice(2)
const startedAt = performance.now()
const seconds = () => (performance.now() - startedAt) / 1000
const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
/** Process group of `child`, negative as `process.kill` expects it. NaN if `child` could not be started. */
const group = -(child.pid ?? Number.NaN)
const exited = new Promise((resolve) => child.once('exit', resolve))
try {
  const banner = await readBanner()
  const readySeconds = seconds()
  const reply = await ask(banner)
  const replySeconds = seconds()
  // Like Ctrl-C in a terminal, this signals npx, its shell and the service.
  process.kill(group, 'SIGINT')
  const exitCode = await exited
  // npx ends before the service that it has started.
  const isStopped = await waitUntil(() => !isRunning())
  const interfaces = Object.keys(networkInterfaces())
  console.log(
    JSON.stringify({ reply, readySeconds, replySeconds, exitCode, isStopped, interfaces }),
  )
} finally {
  if (isRunning()) process.kill(group, 'SIGKILL')
}

function readBanner() {
  return new Promise((resolve, reject) => {
    let text = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part) => {
        text += part
        if (text.includes('Try it:')) resolve(text)
      })
    void exited.then((code) => reject(new Error(`${command} ended with ${code}: ${text}`)))
  })
}

async function ask(banner) {
  const url = /serves \S+ on (\S+)/.exec(banner)?.[1]
  const key = /^ +(sk-pipit-\S+)$/m.exec(banner)?.[1]
  return askBundled(url, key)
}

/** Returns whether a process of the group still runs. */
function isRunning() {
  try {
    return process.kill(group, 0)
  } catch {
    return false
  }
}

/** Waits at most 15 seconds until `isTrue` returns true, and returns whether it did. */
async function waitUntil(isTrue) {
  for (let tries = 0; tries < 150; tries += 1) {
    if (isTrue()) return true
    await delay(100)
  }
  return false
}
