import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { randomGguf } from '../support/gguf/random-gguf.ts'
import { storeModel } from '../support/models/stored-model.ts'
import { newDataDir, runCli, startProcess } from '../support/process.ts'
import { readStream } from '../support/service.ts'

test('a running service switches its model without a failed request, and keeps it if the new one is bad', async () => {
  const dataDir = newDataDir()
  const environment = { PIPIT_DATA_DIR: dataDir }
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  await storeModel(dataDir, 'tiny', randomGguf({ contextTokens: 1024 }))
  // The header is valid, but the weights are missing.
  await storeModel(dataDir, 'bad', randomGguf().subarray(0, 60_000))
  const service = await startProcess({}, dataDir)
  onTestFinished(() => service.dispose())
  const body = {
    model: 'svc-o1-mini',
    messages: [{ role: 'user', content: 'Count.' }],
    max_tokens: 12,
  }
  const fingerprints: string[] = []
  const failures: unknown[] = []
  let isDone = false
  const callers = Array.from({ length: 3 }, async (_, caller) => {
    while (!isDone) {
      const response = await service.post({ ...body, stream: caller === 0 })
      if (caller === 0) {
        const { events, done } = await readStream(response)
        const seen = new Set(events.map((event) => event['system_fingerprint']))
        if (!done || seen.size !== 1) failures.push(events)
      } else {
        const reply = (await response.json()) as { system_fingerprint?: string }
        if (response.status !== 200) failures.push(reply)
        fingerprints.push(reply.system_fingerprint ?? '')
      }
    }
  })
  const enginePid = service.enginePid()
  const used = await runCli(['models', 'use', 'tiny'], environment)
  expect(used).toMatchObject({ code: 0, stdout: 'The running service serves tiny now.\n' })
  const bad = await runCli(['models', 'use', 'bad'], environment)
  expect(bad.stderr).toMatch(/m\.gguf cannot be used: .* keeps the model that it had/s)
  expect(bad.code).toBe(1)
  isDone = true
  await Promise.all(callers)
  expect(failures).toEqual([])
  expect(new Set(fingerprints).size).toBe(2)
  expect(service.enginePid()).not.toBe(enginePid)
  const list = await runCli(['models', 'list', '--json'], environment)
  expect(JSON.parse(list.stdout)).toMatchObject({ used: 'tiny' })
})
