import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { question, startTestService, type TestService } from '../../../support/service.ts'
import { badBodies, badMessages } from './messages.ts'
import { badParameters } from './parameters.ts'
import { badFormats, badTools } from './tools-and-formats.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ environment: { PIPIT_CONTEXT_TOKENS: '4096' } })
})
afterAll(() => service.close())

// The contract gives the bounds (interface §4.1 and §8), docs/api.md gives status, code and path.
describe('a bad request gets its code and param, and nothing is generated or reserved', () => {
  test.each([...badBodies, ...badMessages, ...badTools, ...badParameters, ...badFormats])(
    '%s',
    async (_, body, code, param) => {
      const whole = typeof body === 'string' ? body : { ...question, ...body }
      await expectRefusal(whole, 400, code, param)
    },
  )

  test.each(['gpt-4o-mini', '../../etc/passwd', 'SVC-O1-MINI'])('model %s (T24)', async (model) => {
    await expectRefusal({ ...question, model }, 404, 'model_not_found', 'model')
  })

  test('afterwards no token is on the ledger and the service answers', async () => {
    for (const row of service.ledgerRows())
      expect(row).toMatchObject({ outcome: 'refused', prompt_tokens: 0, completion_tokens: 0 })
    expect((await service.post({ ...question, max_tokens: 2048 })).status).toBe(200)
  })
})

async function expectRefusal(
  body: string | object,
  status: number,
  code: string,
  param: string | null,
): Promise<void> {
  for (const path of ['/v1/chat/completions', '/v1/chat']) {
    const response = await service.post(body, { path })
    const { error } = (await response.json()) as { error: Record<string, unknown> }
    expect([response.status, error['code'], error['param']]).toEqual([status, code, param])
    expect(Object.keys(error).toSorted()).toEqual(['code', 'message', 'param', 'type'])
    expect(error['message']).toMatch(/\S.{10,}/)
  }
}
