import { execFile } from 'node:child_process'
import { createServer, request as send } from 'node:http'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Dialect } from '../../../src/engine/dialect/dialect.ts'
import { detectDialect } from '../../../src/engine/dialect/detect-dialect.ts'
import { packageRoot } from '../../../src/paths.ts'
import { scriptedEngine } from '../../support/scripted-engine.ts'
import { startTestService } from '../../support/service.ts'
import { mainFile } from '../../support/process.ts'
import { runCommand } from '../../support/terminal/run-command.ts'

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
    const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')
    expect(readme).toContain(`against ${report.rules.length} rules that clients rely on`)
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
  const completion = { id: 'x', object: 'thing\u009B', choices: [{}] }
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(completion))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const args = [`http://127.0.0.1:${port}`, '--key', 'k']
    const { code, stdout } = await check(...args, '--json')
    expect(code).toBe(1)
    // Any response with status 200 passes these rules.
    expect(idsOf(JSON.parse(stdout), 'ok')).toEqual(['completion.json', 'health', 'key.state'])
    // U+009B is a control character, which JSON leaves as it is.
    expect((await check(...args)).stdout).toContain('saw: "thing\uFFFD"\n')
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('a refusal for lack of room is waited out, and is no fault of the service', async () => {
  const service = await startTestService()
  let count = 0
  const refused: number[] = []
  const gateway = createServer((request, response) => {
    count += 1
    if ([1, 9, 30].includes(count)) {
      refused.push(count)
      request.resume()
      response.writeHead(count === 9 ? 429 : 503, { 'retry-after': '0' }).end('{}')
      return
    }
    const { method, headers } = request
    const forwarded = send(service.url + request.url, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 0, reply.headers)
      reply.pipe(response)
    })
    response.on('close', () => forwarded.destroy())
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(gateway, 'listening')
  try {
    const { port } = gateway.address() as AddressInfo
    const failed = async (url: string) =>
      idsOf(JSON.parse((await check(url, '--key', service.key, '--json')).stdout), 'FAIL')
    expect(await failed(`http://127.0.0.1:${port}`)).toEqual(await failed(service.url))
    expect(refused).toEqual([1, 9, 30])
  } finally {
    gateway.close()
    gateway.closeAllConnections()
    await service.close()
  }
}, 120_000)

test('a key with too few requests for the check ends it with exit code 2, and no rule fails', async () => {
  const service = await startTestService()
  try {
    const create = ['keys', 'create', '--name', 'few', '--requests-per-minute', '3', '--json']
    const created = await runCommand(create, { PIPIT_DATA_DIR: service.dataDir })
    const { key } = JSON.parse(created.stdout) as { key: string }
    const { code, stdout, stderr } = await check(service.url, '--key', key, '--timeout', '5')
    expect(code).toBe(2)
    expect(stdout).toMatch(/^ok /)
    expect(stdout).not.toContain('FAIL')
    expect(stderr).toMatch(
      /^pipit: .* refuses further requests \(status 429, .+\)\. Give [^\n]+\n$/,
    )
  } finally {
    await service.close()
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
    const failing = createServer((request, response) => {
      request.resume()
      response.writeHead(500).end('broken\u009B')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void failing.close())
    await once(failing, 'listening')
    const url = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`
    expect(await check(url, '--key', 'k')).toEqual({
      code: 2,
      stdout: '',
      stderr: `pipit: ${url} does not answer a plain chat request (status 500, "broken\uFFFD"). See its log, or give another --model.\n`,
    })
  } finally {
    await service.close()
  }
})
