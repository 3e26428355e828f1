import { expect } from 'vitest'
import { question, type TestService } from '../service.ts'

/** Expects the ledger entry to have the token counts that a real upstream reports. */
export async function expectLedgerCounts(
  service: Pick<TestService, 'stream' | 'ledgerRows'>,
): Promise<void> {
  const { headers, events, done } = await service.stream({
    ...question,
    max_tokens: 12,
    stream_options: { include_usage: true },
  })
  const usage = events.at(-1)?.usage as { prompt_tokens: number; completion_tokens: number }
  const id = headers.get('x-request-id')
  const row = service.ledgerRows().find((each) => each['request_id'] === id)
  expect(done).toBe(true)
  expect(usage.completion_tokens).toBeGreaterThan(0)
  expect(row).toMatchObject({
    outcome: expect.stringMatching(/completed|length/),
    prompt_tokens: usage.prompt_tokens,
    completion_tokens: usage.completion_tokens,
  })
}
