import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LimitsReport } from '../../../src/cli/check/limits/report.ts'
import { startTestService } from '../../support/service.ts'
import { mainFile } from '../../support/process.ts'

type Run = { code: number; stdout: string; stderr: string }

function pipit(dataDir: string, ...args: string[]): Promise<Run> {
  const options = { env: { ...process.env, PIPIT_DATA_DIR: dataDir } }
  return new Promise((resolve) =>
    execFile(process.execPath, [mainFile, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ),
  )
}

const toList = (limits: Record<string, number>) =>
  Object.entries(limits)
    .map(([name, limit]) => `${name}=${limit}`)
    .join(',')

const environment = { PIPIT_SCRIPTED_TOKENS_PER_SECOND: '100' }

/** Makes a data directory with a key that has these limits, and starts services on copies of it. */
async function startCopies(count: number, limits: Record<string, number>) {
  const folders: string[] = []
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'pipit-limits-'))
    folders.push(folder)
    return folder
  }
  const dataDir = newFolder()
  const options = Object.entries(limits).flatMap(([name, limit]) => [`--${name}`, String(limit)])
  const created = await pipit(dataDir, 'keys', 'create', '--name', 'attack', ...options)
  const key = /sk-pipit-\S+/.exec(created.stdout)?.[0] ?? created.stderr
  const services: Awaited<ReturnType<typeof startTestService>>[] = []
  for (let index = 0; index < count; index++) {
    const copy = newFolder()
    cpSync(dataDir, copy, { recursive: true })
    services.push(await startTestService({ environment, dataDir: copy }))
  }
  const close = async () => {
    await Promise.all(services.map((service) => service.close()))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
  return { key, urls: services.map(({ url }) => url), close }
}

async function attack(count: number, limits: Record<string, number>) {
  const { key, urls, close } = await startCopies(count, limits)
  try {
    const args = ['check', '--limits', toList(limits), ...urls, '--key', key, '--json']
    const { code, stdout, stderr } = await pipit('unused', ...args)
    expect(stdout, stderr).not.toBe('')
    return { code, report: JSON.parse(stdout) as LimitsReport, stderr }
  } finally {
    await close()
  }
}

test('this service lets no token and no parallel request through beyond a limit, and loses no usage', async () => {
  const { code, report } = await attack(1, { 'tokens-per-day': 2000, 'parallel-requests': 4 })
  expect(report).toMatchObject({ gateway: 'pipit', passed: true, wrongRefusals: { count: 0 } })
  expect(report.limits).toMatchObject([
    { name: 'parallelRequests', overspend: 0 },
    { name: 'tokensPerDay', verdict: 'ok' },
  ])
  expect(report.lostUsage).toMatchObject({ replies: [], tokens: 0 })
  expect(report.idempotency).toMatchObject({ executed: 1 })
  expect(code).toBe(0)
}, 120_000)

test('three services that count one limit alone are found out', async () => {
  const { code, report } = await attack(3, { 'tokens-per-day': 2000 })
  expect(code).toBe(1)
  const [finding] = report.limits
  expect(finding?.verdict).toBe('OVERSPEND')
  expect(finding?.overspend).toBeGreaterThan(2000)
  expect(report.lostUsage).toMatchObject({ replies: [] })
  expect(report.idempotency).toMatchObject({ executed: 3 })
}, 120_000)

test('bursts on both sides of the edge of a minute pass no limit of this service', async ({
  skip,
}) => {
  skip(process.env['CHECK_EDGES'] === undefined, 'CHECK_EDGES is not set: two to four minutes')
  const limits = { 'requests-per-minute': 30, 'tokens-per-minute': 900 }
  const { code, report } = await attack(1, limits)
  expect(report.notRun).toEqual({ 'parallel streams': 'no limit on parallel requests was stated' })
  expect(report.limits).toMatchObject([{ overspend: 0 }, { overspend: 0 }])
  expect(report.wrongRefusals.count).toBe(0)
  expect(code).toBe(0)
}, 400_000)

test('a check of limits that cannot begin says why in one sentence', async () => {
  const service = await startTestService()
  try {
    const check = (limits: string, key = service.key, ...args: string[]) =>
      pipit('unused', 'check', service.url, '--key', key, '--limits', limits, ...args)
    const none = await check('tokens-per-week=5')
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain('Enter limits such as')
    const large = await check('tokens-per-day=1000000')
    expect(large).toMatchObject({ code: 2, stdout: '' })
    expect(large.stderr).toContain('Add --yes')
    const other = await check('requests-per-minute=5', service.key, '--admin-key', 'sk-1')
    expect(other).toMatchObject({ code: 2, stdout: '' })
    expect(other.stderr).toContain('/key/info')
    const wrong = await check('requests-per-minute=5', 'wrong')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('rejects this key')
  } finally {
    await service.close()
  }
}, 60_000)
