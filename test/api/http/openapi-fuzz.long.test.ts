import { afterAll, beforeAll, expect, test } from 'vitest'
import { fuzz } from '../../support/openapi/openapi-fuzz.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('20,000 requests made from the document give no 5xx and no reply that it does not describe', async () => {
  const statuses = await fuzz(service, 20_000)
  // Both sides of the gate were met.
  expect(statuses.get('POST 200')).toBeGreaterThan(1500)
  expect(statuses.get('POST 400')).toBeGreaterThan(1500)
}, 1_800_000)
