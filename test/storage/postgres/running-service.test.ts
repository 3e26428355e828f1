import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useDatabases } from '../../support/databases.ts'
import { runCli } from '../../support/process.ts'
import { startTestService } from '../../support/service.ts'

const databases = useDatabases()

const start = () =>
  startTestService({ environment: databases.environment, dataDir: databases.dataDir })

async function foundUrl(): Promise<string> {
  const { stdout, stderr } = await runCli(['status', '--once', '--json'], databases.environment)
  return stdout === '' ? stderr : (JSON.parse(stdout) as { url: string }).url
}

test('commands find a service whose data is in PostgreSQL, and it follows their changes at once', async () => {
  const service = await start()
  try {
    expect(await foundUrl()).toBe(service.url)
    const doctor = await runCli(['doctor'], databases.environment)
    expect(doctor.stdout).toContain(`the service runs at ${service.url}`)
    const created = await runCli(
      ['keys', 'create', '--name', 'laptop', '--json'],
      databases.environment,
    )
    const { key } = JSON.parse(created.stdout) as { key: string }
    expect([(await service.request('/v1/models', { key })).status, created.stderr]).toEqual([
      200,
      '',
    ])
  } finally {
    await service.close()
  }
  expect(await foundUrl()).toContain('No service runs on ')
  expect(existsSync(join(databases.dataDir, 'service.json'))).toBe(false)
})

test('of two services that share a directory during an update, commands find the first until it ends', async () => {
  const old = await start()
  try {
    const next = await start()
    try {
      expect(await foundUrl()).toBe(old.url)
    } finally {
      await next.close()
    }
    expect(await foundUrl()).toBe(old.url)
  } finally {
    await old.close()
  }
})
