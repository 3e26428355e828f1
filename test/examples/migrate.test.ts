import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { packageRoot } from '../../src/paths.ts'
import { question, startTestService, type TestService } from '../support/service.ts'

// Checks the statements of docs/migrate.md about Pipit. Its statements about other products are from their public
// pages.
const read = (name: string) => readFileSync(join(packageRoot, 'docs', name), 'utf8')
const page = read('migrate.md')
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function outcome(fields: object): Promise<string> {
  const reply = await service.post({ ...question, ...fields })
  const { error } = (await reply.json()) as { error?: { code: string } }
  return error?.code ?? String(reply.status)
}

test('docs/migrate.md names only settings and commands that exist', () => {
  const settings = [...page.matchAll(/PIPIT_[A-Z_0-9]+/g)].map(([name]) => name)
  const known = ['PIPIT_API_KEY']
  const documented = read('configuration.md')
  for (const name of settings) expect(known.includes(name) || documented.includes(name)).toBe(true)
  const commands = createProgram().commands.map((command) => command.name())
  for (const [, name = ''] of page.matchAll(/`[^`\n]*\bpipit ([a-z]+)/g))
    expect(commands).toContain(name)
  const keyOptions = createProgram()
    .commands.find((command) => command.name() === 'keys')
    ?.commands.find((command) => command.name() === 'create')
    ?.options.map(({ long }) => long)
  for (const name of ['--requests-per-minute', '--tokens-per-minute', '--parallel-requests'])
    expect(keyOptions).toContain(name)
})

test.each([
  [{ model: 'gpt-4o' }, 'model_not_found'],
  [{ temperature: 1.5 }, 'decimal_above_max_value'],
  [{ max_tokens: 4096 }, 'integer_above_max_value'],
  [{ repeat_penalty: 1.1 }, 'unsupported_parameter'],
  [{ format: 'json' }, 'unsupported_parameter'],
  [{ raw: true }, 'unsupported_parameter'],
  [{ options: { num_ctx: 8192 } }, 'unsupported_parameter'],
  [{ num_ctx: 8192 }, 'unsupported_parameter'],
  [{ grammar: 'root ::= "a"' }, 'unsupported_parameter'],
  [{ mirostat: 1 }, 'unsupported_parameter'],
  [{ functions: [{ name: 'f' }] }, 'unsupported_parameter'],
  [{ modalities: ['audio'] }, 'unsupported_parameter'],
  [{ repeat_penalty: 1, mirostat: 0, typical_p: 1 }, '200'],
  [{ messages: [{ role: 'developer', content: 'Hello' }] }, '200'],
  [{ max_tokens: -1 }, 'integer_below_min_value'],
  [{ think: false }, 'unsupported_parameter'],
  [{ include_reasoning: false }, 'unsupported_parameter'],
  [{ include_reasoning: true, reasoning_format: 'auto' }, '200'],
  [{ response_format: { type: 'json_object', json_schema: null, schema: null } }, '200'],
  [{ num_predict: 10 }, '200'],
  [{ n_predict: 10, cache_prompt: true, id_slot: 1, keep_alive: '5m' }, '200'],
  [{ max_completion_tokens: 10, store: true, metadata: { a: 'b' }, user: 'u' }, '200'],
  [{ json_schema: { type: 'object', properties: {} } }, '200'],
  [{ top_k: 40, min_p: 0.05, seed: 1, stop: ['x'], logit_bias: { '5': -100 } }, '200'],
])('a request as other services take it: %j → %s', async (fields, expected) => {
  expect(await outcome(fields)).toBe(expected)
})

test('routes that docs/migrate.md calls missing are missing, and the others are there', async () => {
  for (const path of ['/v1/responses', '/v1/completions', '/v1/embeddings', '/api/chat'])
    expect([path, (await service.post({}, { path })).status]).toEqual([path, 404])
  for (const path of ['/v1/models', '/v1/key', '/v1/requests', '/healthz', '/readyz'])
    expect([path, (await service.request(path)).status]).toEqual([path, 200])
})
