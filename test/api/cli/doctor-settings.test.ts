import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataDir, runCli, startProcess } from '../../support/process.ts'
import { selfSigned } from '../../support/tls/self-signed.ts'

let folder: string
beforeAll(() => {
  folder = newDataDir()
})
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

/** Runs the doctor and a start with the same settings, which neither of them accepts. */
async function faultAndRefusal(settings: Record<string, string>) {
  const environment = {
    PIPIT_DATA_DIR: join(folder, 'data'),
    PIPIT_ENGINE: 'scripted',
    PIPIT_PORT: '0',
    PIPIT_METRICS_PORT: '0',
    ...settings,
  }
  const { stdout } = await runCli(['doctor', '--json'], environment)
  const findings = JSON.parse(stdout) as { state: string; name: string; text: string }[]
  const faults = findings.filter(({ state }) => state === 'fault')
  expect(faults.map(({ name }) => name)).toEqual(['settings'])
  const { code, stderr } = await runCli(['serve'], environment)
  // Files and the database may change by themselves, but a wrong value stays wrong.
  expect(code).toBe('PIPIT_WEIGHTS' in settings ? 78 : 1)
  return { fault: faults[0]?.text, refusal: /^pipit: (.*)$/m.exec(stderr)?.[1] }
}

test('a certificate without its key, wrong weights and an open host without a key are found as the start finds them', async () => {
  const [one, other] = [selfSigned(), selfSigned()]
  const cert = file('cert.pem', one.cert)
  for (const settings of [
    { PIPIT_TLS_CERT: cert, PIPIT_TLS_KEY: join(folder, 'none.pem') },
    { PIPIT_TLS_CERT: cert, PIPIT_TLS_KEY: file('other.pem', other.key) },
    { PIPIT_WEIGHTS: 'other' },
    { PIPIT_HOST: '0.0.0.0' },
  ]) {
    const { fault, refusal } = await faultAndRefusal(settings)
    expect([settings, fault]).toEqual([settings, refusal])
    expect(fault).toMatch(/^PIPIT_/)
  }
})

test('with an API key, also a revoked one, a host that others can reach is no fault', async () => {
  const environment = { PIPIT_DATA_DIR: join(folder, 'keyed'), PIPIT_ENGINE: 'scripted' }
  const { stdout } = await runCli(['keys', 'create', '--name', 'x', '--json'], environment)
  const { id } = JSON.parse(stdout) as { id: string }
  const open = { ...environment, PIPIT_HOST: '0.0.0.0', PIPIT_PORT: '0', PIPIT_METRICS_PORT: '0' }
  expect((await runCli(['doctor'], open)).code).toBe(0)
  await runCli(['keys', 'revoke', id], environment)
  expect((await runCli(['doctor'], open)).code).toBe(0)
  const service = await startProcess(open, environment.PIPIT_DATA_DIR)
  await service.dispose()
})
