import { fc, testSeed } from '../random/test-seed.ts'
import { expect } from 'vitest'
import { createApiKey } from '../../../src/accounts/api-key-store.ts'
import type { OpenApi } from '../../../src/http/reference/openapi.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { addAccountWithKey } from '../accounts.ts'
import { arbitraryRequests, type GeneratedRequest } from './openapi-requests.ts'
import { ReplyCheck } from './openapi-replies.ts'
import type { TestService } from '../service.ts'

const model = 'svc-o1-mini'
/**
 * Fixed properties of the generated requests. About half of the requests get plain messages, because most random
 * messages contradict themselves and are refused.
 */
const given = fc.oneof(
  fc.constant({ model }),
  fc.record({
    model: fc.constant(model),
    messages: fc.array(
      fc.record({ role: fc.constantFrom('system', 'user', 'assistant'), content: fc.string() }),
      { minLength: 1, maxLength: 4 },
    ),
    tools: fc.constant(undefined),
    tool_choice: fc.constant(undefined),
    response_format: fc.constant(undefined),
    max_completion_tokens: fc.constant(undefined),
  }),
)

/** Sends requests generated from the service's own OpenAPI document; throws with the smallest faulty request. */
export async function fuzz(service: TestService, requests: number): Promise<Map<string, number>> {
  const api = (await (await service.request('/openapi.json')).json()) as OpenApi
  const check = new ReplyCheck(api)
  const keys = [service.key, ...(await addLimitedKeys(service))] as const
  const statuses = new Map<string, number>()
  console.log(`${requests} requests, TEST_SEED=${testSeed}`)
  await fc.assert(
    fc.asyncProperty(arbitraryRequests(api, keys, given), async (one) => {
      const response = await send(service, one)
      const status = `${one.method} ${response.status}`
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const faults = await check.faults(one, response)
      if (response.status >= 500) faults.push(`status ${response.status}`)
      if (faults.length > 0) throw new Error(faults.join('\n'))
    }),
    { numRuns: requests, endOnFailure: false },
  )
  console.log(Object.fromEntries(statuses))
  return statuses
}

/** Creates a key far from its limits and two keys that soon reach theirs. */
async function addLimitedKeys({ dataDir, request }: TestService): Promise<string[]> {
  const { accountId } = await addAccountWithKey({ dataDir }, 'fuzz')
  const database = await openDatabase(dataDir)
  try {
    const keys: string[] = []
    const far = { requestsPerMinute: 1_000_000, tokensPerDay: 1_000_000_000 }
    for (const limits of [far, { requestsPerMinute: 1 }, { tokensPerDay: 100 }]) {
      const { key } = await createApiKey(database, { accountId, name: 'fuzz', limits }, Date.now())
      await expect
        .poll(async () => (await request('/v1/key', { key })).status, { timeout: 10_000 })
        .toBe(200)
      keys.push(key)
    }
    return keys
  } finally {
    await database.close()
  }
}

async function send(service: TestService, one: GeneratedRequest): Promise<Response> {
  const { method, headers, body } = one
  return await fetch(service.url + one.url, {
    method,
    headers,
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body }),
  })
}
