import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli, startProcess, type ServeProcess } from '../../support/process.ts'
import { question } from '../../support/service.ts'

let service: ServeProcess
beforeAll(async () => {
  service = await startProcess({ PIPIT_ENGINE: 'scripted', PIPIT_SCRIPTED_TOKENS_PER_SECOND: '1' })
})
afterAll(() => service.dispose())

const cli = async (...args: string[]) => {
  const { code, stdout, stderr } = await runCli(args, { PIPIT_DATA_DIR: service.dataDir })
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

test('a stream ends within 1.5 s of the revocation of its key, and the key is refused within 1 s (T9, G8)', async () => {
  const created = await cli('keys', 'create', '--name', 'cut', '--json')
  const { id, key } = JSON.parse(created) as { id: string; key: string }
  const response = await service.post({ ...question, stream: true }, { key })
  expect(response.status).toBe(200)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = (await reader.read()).value ?? ''
  const rest = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  })().catch(() => {
    // The connection is cut without a clean end.
  })
  await cli('keys', 'revoke', id)
  const revokedMs = performance.now()
  const status = async () => (await service.post(question, { key })).status
  await expect.poll(status, { timeout: 1000, interval: 20 }).toBe(401)
  await rest
  expect(performance.now() - revokedMs).toBeLessThan(1500)
  expect(text).toContain('"code":"invalid_api_key"')
  expect(text).not.toContain('[DONE]')
})
