import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../support/process.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const cli = (...args: string[]) => runCli(args, { PIPIT_DATA_DIR: service.dataDir })
const statusOf = async (key: string) => (await service.request('/v1/models', { key })).status

test('the running service has followed a change of keys when the command returns (T9, G8)', async () => {
  const created = await cli('keys', 'create', '--name', 'laptop', '--json')
  const { id, key } = JSON.parse(created.stdout) as { id: string; key: string }
  expect(await statusOf(key)).toBe(200)
  const rotated = await cli('keys', 'rotate', id, '--grace', '0', '--json')
  const { key: next } = JSON.parse(rotated.stdout) as { key: string }
  expect([await statusOf(key), await statusOf(next)]).toEqual([401, 200])
  const revoked = await cli('keys', 'revoke', id)
  expect([await statusOf(next), revoked.stderr]).toEqual([401, ''])
})

test('a command says so if the running service does not confirm its change', async () => {
  // Keeps the service from writing service.json: a folder has the name of the new file.
  mkdirSync(join(service.dataDir, 'service.json.new'))
  const { code, stderr } = await cli('keys', 'create', '--name', 'other')
  expect(stderr).toBe(
    'pipit: The change is saved, but the running service has not confirmed it. It follows as soon as it can; see its log if it does not.\n',
  )
  expect(code).toBe(0)
})

test('without a running service, a change is made at once', async () => {
  const { dataDir } = await closedService()
  expect(existsSync(join(dataDir, 'service.json'))).toBe(false)
})

async function closedService(): Promise<{ dataDir: string }> {
  const dataDir = service.dataDir + '-closed'
  const own = await startTestService({ dataDir })
  await own.close()
  return { dataDir }
}
