import { rmSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { newDataDir, runCli } from '../../support/process.ts'
import { startTestService } from '../../support/service.ts'

test.each([{ options: [] }, { options: ['--next-start'] }])(
  '`models use` says that a service of another engine does not use the choice, with $options',
  async ({ options }) => {
    // The scripted engine has no model, like PIPIT_ENGINE=upstream.
    const service = await startTestService()
    onTestFinished(() => service.close())
    const environment = { PIPIT_DATA_DIR: service.dataDir }
    expect(await runCli(['models', 'use', 'default', ...options], environment)).toEqual({
      code: 0,
      stdout:
        'The running service does not use this choice, because its PIPIT_ENGINE or PIPIT_MODEL overrides it. ' +
        'A start without them serves the bundled model.\n',
      stderr: '',
    })
  },
)

test.each([
  ['PIPIT_ENGINE', 'upstream'],
  ['PIPIT_MODEL', '/models/other.gguf'],
])('%s of the shell is named, because it overrides a choice', async (name, value) => {
  const dataDir = newDataDir()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const environment = { PIPIT_DATA_DIR: dataDir, [name]: value }
  expect((await runCli(['models', 'use', 'default'], environment)).stdout).toBe(
    'The next start serves the bundled model.\n' +
      `${name} is set in this shell. It overrides this choice for any service started with it.\n`,
  )
})

test('the embedded engine overrides no choice', async () => {
  const dataDir = newDataDir()
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const environment = { PIPIT_DATA_DIR: dataDir, PIPIT_ENGINE: 'embedded' }
  expect((await runCli(['models', 'use', 'default'], environment)).stdout).toBe(
    'The next start serves the bundled model.\n',
  )
})
