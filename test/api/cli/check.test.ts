import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Dialect } from '../../../src/engine/dialect/dialect.ts'
import { detectDialect } from '../../../src/engine/dialect/detect-dialect.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService } from '../../support/service.ts'
import { mainFile } from '../../support/process.ts'

type Finding = { id: string; verdict: string; saw?: string }
type Report = { ok: number; failed: number; notApplicable: number; rules: Finding[] }

/** Runs `pipit check` in its own process. */
function check(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) =>
    execFile(process.execPath, [mainFile, 'check', ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    ),
  )
}

const idsOf = (report: Report, verdict: string) =>
  report.rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id)

test('this service conforms, with the bundled model', { timeout: 120_000 }, async () => {
  const service = await startTestService({ environment: { PIPIT_ENGINE: 'embedded' } })
  try {
    const { stdout } = await check(`${service.url}/v1/`, '--key', service.key, '--json')
    const report = JSON.parse(stdout) as Report
    const failed = report.rules.filter(({ verdict }) => verdict === 'FAIL')
    expect(failed).toEqual([])
  } finally {
    await service.close()
  }
})

test('the rules of thoughts hold for a model that thinks, and say so of one that mixes them up', async () => {
  const template =
    '{% if enable_thinking is defined %}{% endif %}{{ messages[0].content.split("</think>") }}'
  const reply = () => '<think>\n17 plus 25 is 42.\n</think>\n\nIt is 42.'
  const verdicts = async (dialect?: Dialect) => {
    const engine = scriptedEngine({ ...(dialect && { dialect }), reply })
    const service = await startTestService({ engine })
    try {
      const { stdout } = await check(service.url, '--key', service.key, '--json')
      const { rules } = JSON.parse(stdout) as Report
      const found = rules.filter(({ id }) => /^reasoning|^enable_thinking/.test(id))
      return Object.fromEntries(found.map(({ id, verdict }) => [id, verdict]))
    } finally {
      await service.close()
    }
  }
  expect(await verdicts(detectDialect(template))).toEqual({
    'reasoning.apart': 'ok',
    'reasoning.tokens': 'ok',
    'reasoning.stream': 'ok',
    'reasoning.back': 'ok',
    reasoning_effort: 'ok',
    enable_thinking: 'ok',
  })
  expect(await verdicts()).toMatchObject({
    'reasoning.apart': 'FAIL',
    'reasoning.tokens': 'n/a',
    enable_thinking: 'ok',
  })
}, 60_000)

test('a server that answers every request with 200 breaks nearly every rule', async () => {
  const completion = { id: 'x', object: 'thing', choices: [{}] }
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(completion))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const { code, stdout } = await check(`http://127.0.0.1:${port}`, '--key', 'k', '--json')
    expect(code).toBe(1)
    // Any response with status 200 passes these rules.
    expect(idsOf(JSON.parse(stdout), 'ok')).toEqual(['completion.json', 'health', 'key.state'])
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('a service that cannot be checked is reported in one sentence with exit code 2', async () => {
  const absent = await check('http://127.0.0.1:9', '--key', 'k')
  expect(absent).toMatchObject({ code: 2, stdout: '' })
  expect(absent.stderr).toContain('Is the service running?')
  expect(await check('example.org', '--key', 'k')).toMatchObject({ code: 2 })
  expect(await check('http://127.0.0.1:9', '--key', 'ké')).toMatchObject({
    code: 2,
    stderr: 'pipit: The API key has a character that no key has (position 2). Copy it again.\n',
  })
  const service = await startTestService()
  try {
    const refused = await check(service.url, '--key', 'wrong')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('rejects this key')
    expect(await check(service.url, '--key', service.key, '--model', 'gpt-4')).toMatchObject({
      code: 2,
    })
  } finally {
    await service.close()
  }
})
