import { expect, test } from 'vitest'
import { useDatabases } from '../../support/databases.ts'
import { runCli } from '../../support/process.ts'
import { question, startTestService } from '../../support/service.ts'

const databases = useDatabases()

test('the service keeps keys, receipts and usage in PostgreSQL over a restart', async () => {
  const environment = databases.environment
  const first = await startTestService({ environment, dataDir: databases.dataDir })
  let key = ''
  let requestId = ''
  let sent = 2
  try {
    const created = await runCli(
      ['keys', 'create', '--name', 'laptop', '--requests-per-minute', '60', '--json'],
      environment,
    )
    key = (JSON.parse(created.stdout) as { key: string }).key
    const reply = await first.post(question, { key })
    expect(reply.status).toBe(200)
    requestId = reply.headers.get('x-request-id') ?? ''
    // A text that PostgreSQL cannot store: the path is not found, and the refusal has a receipt.
    expect((await first.request('/v1/requests/%00', { key })).status).toBe(404)
    const refused = await first.post({ ...question, metadata: { 'a\0b': 5 } }, { key })
    expect(refused.status).toBe(400)
    const refusedId = refused.headers.get('x-request-id') ?? ''
    await expect
      .poll(async () => (await first.request(`/v1/requests/${refusedId}`, { key })).status)
      .toBe(200)
    sent += 1
    const stream = await first.stream(question, { key })
    expect([stream.status, stream.done]).toEqual([200, true])
    const metrics = await (await fetch(first.metricsUrl)).text()
    expect(metrics).toMatch(/^pipit_replica_live 1$/m)
    expect(metrics).toMatch(/^pipit_replica_closed_total 0$/m)
    // The alert for a ledger that is nearly full divides by the maximum.
    expect(metrics).toMatch(/^pipit_ledger_bytes_max 10737418240$/m)
    expect(metrics).toMatch(/^pipit_ledger_bytes [1-9]\d+$/m)
    // A lease is returned after some idle time. On a busy machine that time may pass before the metric is read, so
    // poll.
    await expect
      .poll(async () => {
        await first.post(question, { key })
        sent += 1
        return await (await fetch(first.metricsUrl)).text()
      })
      .toMatch(/^pipit_leases 1$/m)
  } finally {
    await first.close()
  }
  const doctor = await runCli(['doctor'], environment)
  expect(doctor.stdout).toMatch(/database +PostgreSQL \d+.* at postgres:\/\/127\.0\.0\.1:\d+\//)
  const second = await startTestService({ environment, dataDir: databases.dataDir })
  try {
    const receipt = await second.request(`/v1/requests/${requestId}`, { key })
    expect([receipt.status, await receipt.json()]).toMatchObject([200, { id: requestId }])
    const receipts = await second.request('/v1/requests', { key })
    const { data } = (await receipts.json()) as { data: { id: string }[] }
    expect(data).toHaveLength(sent)
    expect(data.at(-1)?.id).toBe(requestId)
  } finally {
    await second.close()
  }
})
