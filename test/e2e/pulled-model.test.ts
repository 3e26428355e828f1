import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { splitGguf } from '../support/gguf/random-gguf.ts'
import { LocalHub } from '../support/hub/local-hub.ts'
import { newDataDir, runCli, startProcess } from '../support/process.ts'

test('a pulled model in two files starts in the sandbox, and answers under the same name (T23)', async () => {
  const [first, second] = splitGguf({ contextTokens: 1024 })
  const files = { 'm-Q8_0-00001-of-00002.gguf': first, 'm-Q8_0-00002-of-00002.gguf': second }
  const hub = await LocalHub.start({ 'a/Tiny-GGUF': { files } })
  const dataDir = newDataDir()
  onTestFinished(async () => {
    await hub.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const environment = { HF_ENDPOINT: hub.url, PIPIT_DATA_DIR: dataDir }
  const pulled = await runCli(['models', 'pull', 'hf:a/Tiny-GGUF'], environment)
  expect(pulled).toMatchObject({ code: 0 })
  expect(pulled.stdout).toMatch(/^Pulled tiny-q8_0\. SHA-256 [0-9a-f]{64}, SHA-256 [0-9a-f]{64}\n/)
  expect(await runCli(['models', 'use', 'tiny-q8_0'], environment)).toMatchObject({ code: 0 })
  // Like the rest of the data, the models are not readable for other users of the machine.
  expect(statSync(join(dataDir, 'models')).mode & 0o77).toBe(0)

  const service = await startProcess({}, dataDir)
  onTestFinished(() => service.dispose())
  expect(service.stdout).toMatch(/ model +m-Q8_0-00001-of-00002\.gguf · .* · sandboxed/)
  const response = await service.post({
    model: 'svc-o1-mini',
    messages: [{ role: 'user', content: 'Hello' }],
    // The weights are random, so only a guided reply is known.
    guided_choice: ['Hi'],
  })
  expect(await response.json()).toMatchObject({
    model: 'svc-o1-mini',
    choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }],
  })
  expect(readFileSync(join(dataDir, 'models', 'used.json'), 'utf8')).toContain('"tiny-q8_0"')
})
