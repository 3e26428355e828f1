import { expect } from 'vitest'
import { question, type TestService } from '../service.ts'

/** Expects the tokens that a real upstream reports to be those of the receipt. */
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
