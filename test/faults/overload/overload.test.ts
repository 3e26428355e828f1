import { expect, test } from 'vitest'
import { randomNumbers } from '../../support/random/random-numbers.ts'
import { recordFinding } from '../../support/reliability.ts'
import { question, readStream, startTestService } from '../../support/service.ts'

const slots = 4
const tokensPerSecond = 100
/** Requests per second: ten times the 12 replies per second that the engine serves. */
const perSecond = 120
const seconds = 5

type Reply = { id: string; status: number; usage?: Usage; headers: Headers }
type Usage = { prompt_tokens: number; completion_tokens: number }

test('at ten times the load, each request ends in one whole reply that the ledger has, or in one refusal (F04)', async () => {
  const service = await startTestService({
    environment: {
      PIPIT_SLOTS: String(slots),
      PIPIT_SCRIPTED_TOKENS_PER_SECOND: String(tokensPerSecond),
    },
  })
  const send = async (index: number): Promise<Reply> => {
    const stream = index % 2 === 0
    const options = stream ? { stream, stream_options: { include_usage: true } } : {}
    const response = await service.post(
      { ...question, ...options, user: `user-${index % 7}`, seed: index },
      { headers: { 'x-request-timeout-ms': '1500' } },
    )
    const { status, headers } = response
    const reply = { id: headers.get('x-request-id') ?? '', status, headers }
    if (status !== 200) {
      expect(await response.json()).toMatchObject({ error: { code: 'overloaded' } })
      return reply
    }
    if (!stream) return { ...reply, usage: ((await response.json()) as { usage: Usage }).usage }
    const { events, done } = await readStream(response)
    expect(done).toBe(true)
    return { ...reply, usage: events.at(-1)?.usage as Usage }
  }
  try {
    const replies = await openLoop(send)
    const whole = replies.filter(({ status }) => status === 200)
    const refused = replies.filter(({ status }) => status === 503)
    expect(whole.length + refused.length).toBe(replies.length)
    expect(whole.length).toBeGreaterThan(slots)
    expect(refused.length).toBeGreaterThan(replies.length / 2)
    for (const { headers } of refused) {
      expect(['deadline', 'predicted_wait']).toContain(headers.get('x-drop-reason'))
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60)
    }

    // A later request is served at once, because no earlier one kept its place in the queue or its slot.
    expect((await send(1)).status).toBe(200)
    const rows = service.ledgerRows()
    expect(rows.filter(({ state }) => state !== 'final')).toEqual([])
    const byId = new Map(rows.map((row) => [row['request_id'], row]))
    for (const { id, usage } of whole)
      expect(byId.get(id)).toMatchObject({
        outcome: expect.stringMatching(/^(stop|completed|length)$/),
        prompt_tokens: usage?.prompt_tokens,
        completion_tokens: usage?.completion_tokens,
      })
    recordFinding(
      'F04',
      `Real sockets and ledger, ${replies.length} requests in ${seconds} s at 10×: ${whole.length} whole replies, all equal to the ledger, and ${refused.length} refusals.`,
    )
  } finally {
    await service.close()
  }
})

/** Sends requests at the times of a Poisson process, however many are still running. */
async function openLoop(send: (index: number) => Promise<Reply>): Promise<Reply[]> {
  const random = randomNumbers(4)
  const startMs = performance.now()
  const replies: Promise<Reply>[] = []
  let atMs = 0
  for (let index = 0; atMs < 1000 * seconds; index += 1) {
    atMs += (-Math.log(1 - random()) * 1000) / perSecond
    const waitMs = startMs + atMs - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const reply = send(index)
    // The error of one is that of all, below.
    reply.catch(() => {})
    replies.push(reply)
  }
  return Promise.all(replies)
}
