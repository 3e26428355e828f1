import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuzz } from '../../support/openapi/openapi-fuzz.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('600 requests generated from the OpenAPI document get no 5xx and only responses that it describes', async () => {
  const statuses = await fuzz(service, 600)
  // The run must contain accepted and refused requests.
  expect(statuses.get('POST 200')).toBeGreaterThan(30)
  expect(statuses.get('POST 400')).toBeGreaterThan(30)
}, 120_000)
