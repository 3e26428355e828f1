import { expect, test } from 'vitest'
import { addAccountWithKey } from '../../support/accounts.ts'
import { question, startTestService } from '../../support/service.ts'

type Reply = { usage: { prompt_tokens_details: { cached_tokens: number } } }

test('a prompt is found in the KV cache by its own account, and by no other one (T34)', async () => {
  const service = await startTestService({
    environment: { PIPIT_ENGINE: 'embedded', PIPIT_SLOTS: '2', PIPIT_CONTEXT_TOKENS: '1024' },
  })
  try {
    const content = 'What one account says is nothing that another may measure. '.repeat(6)
    const asked = { ...question, messages: [{ role: 'user', content }], max_tokens: 1 }
    const cachedTokens = async (key: string) => {
      const response = await service.post(asked, { key })
      expect(response.status).toBe(200)
      return ((await response.json()) as Reply).usage.prompt_tokens_details.cached_tokens
    }
    const other = await addAccountWithKey(service, 'other')
    await expect.poll(async () => (await service.request('/v1/models', other)).status).toBe(200)
    expect(await cachedTokens(service.key)).toBe(0)
    expect(await cachedTokens(other.key)).toBe(0)
    expect(await cachedTokens(service.key)).toBeGreaterThan(50)
    expect(await cachedTokens(other.key)).toBeGreaterThan(50)
  } finally {
    await service.close()
  }
})
