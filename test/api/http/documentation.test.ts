import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  errorCodesOf,
  nameOf,
  operationsOf,
  responsesOf,
} from '../../../panel/src/reference/api-document.ts'
import { objectOf, textOf } from '../../../panel/src/reference/json.ts'
import { panelErrorCodes } from '../../../src/errors.ts'
import { errorCatalogue } from '../../../src/http/reply/error-response.ts'
import type { Json, OpenApi } from '../../../src/http/reference/openapi.ts'
import { refusedParameters } from '../../../src/protocol/chat/refused-parameters.ts'
import { documentedFamilies, familiesTable, readFacts } from '../../../tools/models/models-page.ts'
import { parameterTable } from '../../../tools/manual/parameter-table.ts'
import { settingLines } from '../../../tools/manual/settings-rows.ts'
import { documentedTable, limitsTable, supportMatrix } from '../../../tools/reference.ts'
import { question, startTestService, type TestService } from '../../support/service.ts'

const jsonType = 'application/json'
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

  test('requires the one model and the content of a message (docs/interface.md §2.1, §4.1)', () => {
    const ajv = new Ajv2020({ strict: false })
    const { schemas } = api.components
    ajv.addSchema({ $id: 'api', components: { schemas } })
    const isValid = (body: object) =>
      ajv.validate({ $ref: 'api#/components/schemas/ChatCompletionRequest' }, body)
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
    const caller = { role: 'assistant', tool_calls: [call] }
    expect(schemas['ChatCompletionRequest']).toMatchObject({
      properties: { model: { type: 'string', const: 'svc-o1-mini' } },
    })
    expect(isValid(question)).toBe(true)
    expect(isValid({ ...question, messages: [caller] })).toBe(true)
    expect(isValid({ ...question, model: 'gpt-4' })).toBe(false)
    expect(isValid({ ...question, messages: [{ role: 'user' }] })).toBe(false)
    expect(isValid({ ...question, messages: [{ role: 'user', tool_calls: [call] }] })).toBe(false)
    expect(isValid({ ...question, messages: [{ ...caller, tool_calls: [] }] })).toBe(false)
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
    const elsewhere = ['method_not_supported', ...panelErrorCodes]
    expect([...codes, ...elsewhere].toSorted()).toEqual(Object.keys(errorCatalogue).toSorted())
  })
})

test('the table of parameters in docs/api.md equals the schema that validates requests', () => {
  expect(documentedTable('parameters')).toEqual(parameterTable())
})

test('the support matrix in docs/api.md equals the tables that validate requests', () => {
  expect(documentedTable('support matrix')).toEqual(supportMatrix())
})

test('the table of limits in docs/api.md equals the table of the code', () => {
  expect(documentedTable('limits')).toEqual(limitsTable())
})

test('docs/configuration.md lists every setting with its default, bounds and meaning', () => {
  expect(documentedTable('settings')).toEqual(settingLines())
})

test('the table in docs/models.md equals the last run in docs/models.json', () => {
  expect(documentedFamilies()).toEqual(familiesTable(readFacts()))
})

test('parameters that the matrix calls refused are refused, and their neutral values pass', async () => {
  const send = async (path: string, value: unknown) => {
    const [name = '', member] = path.split('.')
    const held = member === undefined ? value : { [member]: value }
    return await service.post({ ...question, [name]: held })
  }
  for (const [name, { neutral, instead }] of Object.entries(refusedParameters)) {
    const { error } = (await (await send(name, { some: 'thing' })).json()) as Refusal
    // `stream_options` is supported, so an object in one of its members has the wrong type.
    const code = name.startsWith('stream_options') ? 'invalid_type' : 'unsupported_parameter'
    expect([name, error.code, error.param]).toEqual([name, code, name])
    if (code === 'unsupported_parameter') expect(error.message).toContain(instead)
    for (const value of [...neutral, null, '', []]) {
      if (code === 'invalid_type' && value !== null && typeof value !== 'boolean') continue
      expect([name, value, (await send(name, value)).status]).toEqual([name, value, 200])
    }
  }
}, 60_000)

type Refusal = { error: { code: string; param: string; message: string } }

test('every example of a request and a reply matches its schema', () => {
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: 'api', components: { schemas: api.components.schemas } })
  const check = (place: string, schema: Json | undefined, value: Json | undefined) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components')
    const isValid = ajv.validate(JSON.parse(text) as object, value)
    expect([place, isValid, ajv.errorsText()]).toEqual([place, true, 'No errors'])
  }
  for (const operation of operationsOf(api)) {
    const { operationId, requestBody, responses } = operation
    const { schema, example } = objectOf(objectOf(objectOf(requestBody)['content'])[jsonType])
    if (schema !== undefined) check(`${operationId} body`, schema, example)
    for (const [status, response] of Object.entries(responses)) {
      const found = api.components.responses[nameOf(response['$ref'])] ?? response
      const content = Object.entries(objectOf(found['content']))
      for (const [type, described] of content.map(([t, one]) => [t, objectOf(one)] as const)) {
        const place = `${operationId} ${status} ${type}`
        const codes = Object.keys(objectOf(described['examples']))
        for (const code of codes)
          check(
            `${place} ${code}`,
            described['schema'],
            objectOf(api.components.examples[code])['value'],
          )
        if (type === 'text/event-stream') {
          const events = textOf(described['example']).trim().split('\n\n')
          expect(events.pop()).toBe('data: [DONE]')
          expect(events.length).toBeGreaterThan(0)
          for (const event of events)
            check(place, described['x-event-schema'], JSON.parse(event.slice(6)) as Json)
        } else if (codes.length === 0 && type === jsonType && operationId !== 'describeApi')
          check(place, described['schema'], described['example'])
      }
    }
  }
})

test('every status of an operation has an example of its reply', () => {
  for (const operation of operationsOf(api)) {
    if (operation.operationId === 'describeApi' || operation.operationId === 'readDocs') continue
    for (const { status, examples } of responsesOf(api, operation))
      expect([operation.operationId, status, examples.length > 0]).toEqual([
        operation.operationId,
        status,
        true,
      ])
  }
})

test('each code has a status, a reason and what to do, as the catalogue of errors has it', () => {
  const codes = errorCodesOf(api)
  expect(
    Object.fromEntries(codes.map(({ code, status, type }) => [code, { status, type }])),
  ).toEqual(errorCatalogue)
  for (const { code, why, fix } of codes)
    expect([code, why, fix]).toEqual([
      code,
      expect.stringMatching(/\.$/),
      expect.stringMatching(/\.$/),
    ])
})

/** Requests that are refused, by the code of their error. */
const refused: Readonly<Record<string, object | string>> = {
  invalid_json: '{',
  missing_required_parameter: { model: question.model },
  empty_array: { ...question, messages: [] },
  array_above_max_length: { ...question, stop: ['a', 'b', 'c', 'd', 'e'] },
  string_above_max_length: { ...question, user: 'x'.repeat(513) },
  invalid_type: { ...question, temperature: 'warm' },
  invalid_value: { ...question, messages: [{ role: 'wizard', content: 'Hello' }] },
  integer_above_max_value: { ...question, max_tokens: 2049 },
  integer_below_min_value: { ...question, max_tokens: 0 },
  decimal_above_max_value: { ...question, temperature: 1.1 },
  decimal_below_min_value: { ...question, temperature: -1 },
  unsupported_parameter: { ...question, repetition_penalty: 2 },
  model_not_found: { ...question, model: 'gpt-4' },
}

test('the example of an error is the reply of the service', async () => {
  const replies = Object.entries(refused).map(async ([code, body]) => {
    const reply: unknown = await (await service.post(body)).json()
    return [code, reply] as const
  })
  for (const [code, reply] of await Promise.all(replies))
    expect(reply, JSON.stringify({ [code]: reply })).toEqual(
      objectOf(api.components.examples[code])['value'],
    )
})

test('/docs and the pages below it are the panel’s page, without a session and with its strict policy', async () => {
  for (const path of ['/docs', '/docs/', '/docs/errors', '/docs/operations/isAlive']) {
    const response = await service.request(path, { key: null })
    const policy = response.headers.get('content-security-policy') ?? ''
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ])
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).toContain("require-trusted-types-for 'script'")
  }
})
