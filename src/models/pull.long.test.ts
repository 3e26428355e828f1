import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { randomGguf } from '../../test/support/gguf/random-gguf.ts'
import { LocalHub, sha256Of } from '../../test/support/hub/local-hub.ts'
import { randomNumbers } from '../../test/support/random/random-numbers.ts'

const entry = fileURLToPath(new URL('../cli/main.ts', import.meta.url))

function startPull(hub: LocalHub, dataDir: string): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', entry, 'models', 'pull', 'hf:a/Tiny-GGUF'], {
    env: { ...process.env, HF_ENDPOINT: hub.url, PIPIT_DATA_DIR: dataDir },
    stdio: 'ignore',
  })
}

test('after 20 kills and 20 cut connections at random, the file is the one of the hub', async () => {
  const random = randomNumbers(20)
  const noise = Buffer.from(Uint8Array.from({ length: 1_000_000 }, () => random() * 256))
  const content = Buffer.concat([randomGguf(), ...Array<Buffer>(400).fill(noise)])
  const hub = await LocalHub.start({ 'a/Tiny-GGUF': { files: { 'm-Q8_0.gguf': content } } })
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-pull-'))
  onTestFinished(async () => {
    await hub.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const path = join(dataDir, 'models', 'tiny-q8_0', 'm-Q8_0.gguf')
  for (let kills = 0; kills < 20; kills++) {
    hub.faults.push({ type: 'cut', afterBytes: Math.floor(random() * 8_000_000) })
    const sentBefore = hub.bytesSent
    const pull = startPull(hub, dataDir)
    // Kills the pull during its download, after the hub has sent it some bytes.
    while (hub.bytesSent < sentBefore + 100_000 && pull.exitCode === null) await delay(2)
    await delay(random() * 50)
    pull.kill('SIGKILL')
    if (pull.exitCode === null && pull.signalCode === null) await once(pull, 'exit')
    expect(existsSync(path)).toBe(false)
    hub.faults.length = 0
  }
  const [code] = await once(startPull(hub, dataDir), 'exit')
  expect(code).toBe(0)
  expect(sha256Of(readFileSync(path))).toBe(sha256Of(content))
  console.log(`sent ${hub.bytesSent} bytes for a file of ${content.length}`)
}, 300_000)
