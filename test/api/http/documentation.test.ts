import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorCatalogue, panelErrors } from '../../../src/errors.ts'
import type { OpenApi } from '../../../src/http/reference/openapi.ts'
import { refusedParameters } from '../../../src/protocol/chat/parameters.ts'
import { documentedTable, limitsTable, supportMatrix } from '../../../tools/reference.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let api: OpenApi
beforeAll(async () => {
  service = await startTestService()
  const response = await service.request('/openapi.json', { key: null })
  api = (await response.json()) as OpenApi
})
afterAll(() => service.close())

describe('/openapi.json', () => {
  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(api) as Record<string, unknown>)
    expect(result).toMatchObject({ valid: true })
    expect(api.openapi).toBe('3.1.0')
    expect(
      (await service.request('/openapi.json', { key: null })).headers.get('content-type'),
    ).toBe('application/json; charset=utf-8')
  })

  test('equals docs/openapi.json, which `npm run reference` writes', () => {
    const golden = new URL('../../../docs/openapi.json', import.meta.url)
    expect(api).toEqual(JSON.parse(readFileSync(golden, 'utf8')))
  })

  test('has the served paths, each with its authentication', async () => {
    for (const [path, methods] of Object.entries(api.paths))
      for (const [method, { security }] of Object.entries(methods)) {
        const response = await fetch(service.url + path.replace(/\{\w+\}/, 'x'), {
          method: method.toUpperCase(),
        })
        expect([path, response.status === 401]).toEqual([path, security.length > 0])
      }
  })

  test('has every error code that a request to a path can get', () => {
    const codes = new Set(
      JSON.stringify(api.components.responses).match(/(?<=`)[a-z_]+(?=`)/g) ?? [],
    )
    const elsewhere = ['method_not_supported', ...Object.keys(panelErrors)]
    expect([...codes, ...elsewhere].toSorted()).toEqual(Object.keys(errorCatalogue).toSorted())
  })
})

test('the support matrix in docs/api.md equals the tables that validate requests', () => {
  expect(documentedTable('support matrix')).toEqual(supportMatrix())
})

test('the table of limits in docs/api.md equals the table of the code', () => {
  expect(documentedTable('limits')).toEqual(limitsTable())
})

test('parameters that the matrix calls refused are refused, and their neutral values pass', async () => {
  for (const [name, { neutral }] of Object.entries(refusedParameters)) {
    const response = await service.post({ ...question, [name]: { some: 'thing' } })
    const { error } = (await response.json()) as { error: { code: string; param: string } }
    expect([name, error.code, error.param]).toEqual([name, 'unsupported_parameter', name])
    for (const [, text = ''] of neutral.matchAll(/`([^`]+)`/g)) {
      const value: unknown = JSON.parse(text)
      expect([name, (await service.post({ ...question, [name]: value })).status]).toEqual([
        name,
        200,
      ])
    }
  }
})

describe('/docs', () => {
  const page = async () => await service.request('/docs', { key: null })

  test('names every operation and every object, and loads nothing else', async () => {
    const response = await page()
    const html = await response.text()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(html) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'`)
    for (const [path, methods] of Object.entries(api.paths))
      for (const method of Object.keys(methods))
        expect(html).toContain(`<code>${method.toUpperCase()} ${path}</code>`)
    for (const name of Object.keys(api.components.schemas))
      expect(html).toContain(`"schema-${name}"`)
    // Nested fields are listed as well.
    for (const field of ['choices[].message.content', 'stream_options.include_usage'])
      expect(html).toContain(`<code>${field}</code>`)
    expect(html).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|\sstyle=|https?:\/\//)
    // A link stays on the page or leads to the OpenAPI document.
    for (const [, target] of html.matchAll(/href="([^"]*)"/g))
      if (target !== '/openapi.json') expect(html).toContain(`id="${target?.slice(1)}"`)
  })

  test('every example runs as it stands', async () => {
    const html = await (await page()).text()
    const examples = [...html.matchAll(/<code data-language="(\w+)">([^]*?)<\/code>/g)]
    expect(examples.length).toBeGreaterThanOrEqual(4)
    for (const [, language = '', escaped = ''] of examples) {
      const code = unescape(escaped)
      if (language === 'python' && !hasPython()) {
        console.log('skipped: the Python example (there is no python3)')
        continue
      }
      const output = await runExample(language, code)
      expect([language, output]).toEqual([language, expect.stringContaining('Hello!')])
      if (code.includes('--no-buffer')) expect(output).toMatch(/data: \[DONE\]\n\n$/)
    }
  })
})

async function runExample(language: string, code: string): Promise<string> {
  const commands: Record<string, [string, ...string[]]> = {
    sh: ['sh', '-ec', code],
    javascript: [process.execPath, '--input-type=module', '--eval', code],
    python: ['python3', '-c', code],
  }
  const [command, ...args] = commands[language] ?? ['false']
  const environment = { PATH: process.env['PATH'], PYTHONUTF8: '1' }
  const { stdout } = await promisify(execFile)(command, args, {
    env: { ...environment, PIPIT_URL: service.url, PIPIT_API_KEY: service.key },
  })
  return stdout
}

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function unescape(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}
