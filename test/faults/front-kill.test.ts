import { expect, test } from 'vitest'
import { rmSync } from 'node:fs'
import { newDataDir, runCli, startProcess, type ServeProcess } from '../support/process.ts'
import { question } from '../support/service.ts'

test('a request that kill -9 of the service interrupted runs again under its Idempotency-Key (F02, F22)', async () => {
  const dataDir = newDataDir()
  const send = (service: ServeProcess, key: string, body: object) =>
    service.post(body, { key, headers: { 'idempotency-key': 'order-17' } })
  const body = { ...question, stream: true }
  try {
    const slow = { PIPIT_ENGINE: 'scripted', PIPIT_SCRIPTED_TOKENS_PER_SECOND: '2' }
    const first = await startProcess(slow, dataDir)
    const cut = await send(first, first.key, body)
    expect(cut.status).toBe(200)
    expect((await send(first, first.key, body)).status).toBe(409)
    // The receipt of the 409 is written after the response.
    await expect.poll(() => statuses(first, first.key)).toEqual(['refused', 'in_progress'])
    await first.kill('SIGKILL')
    await expect(cut.text()).rejects.toThrow(/terminated/)

    const next = await startProcess({ PIPIT_ENGINE: 'scripted' }, dataDir)
    const anew = await send(next, first.key, body)
    expect([anew.status, anew.headers.get('idempotency-replayed')]).toEqual([200, null])
    const text = await anew.text()
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    const again = await send(next, first.key, body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    const idOf = (stream: string) => /"id":"(chatcmpl-\w+)"/.exec(stream)?.[1]
    expect(idOf(await again.text())).toBe(idOf(text))

    expect(await statuses(next, first.key)).toEqual(['completed', 'refused', 'failed'])
    expect(await next.kill('SIGTERM')).toBe(0)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('the usage of a key survives kill -9 of the service (F02)', async () => {
  const dataDir = newDataDir()
  const scripted = { PIPIT_ENGINE: 'scripted' }
  const left = async ({ url }: { url: string }, key: string) => {
    const response = await fetch(`${url}/v1/key`, { headers: { authorization: `Bearer ${key}` } })
    const { limits } = (await response.json()) as {
      limits: { tokens_per_month: { remaining: number } }
    }
    return limits.tokens_per_month.remaining
  }
  try {
    const first = await startProcess(scripted, dataDir)
    const args = ['--tokens-per-month', '1000', '--json']
    const created = await runCli(['keys', 'create', '--name', 'app', ...args], {
      PIPIT_DATA_DIR: dataDir,
    })
    const { key } = JSON.parse(created.stdout) as { key: string }
    const ask = () => first.post({ ...question, temperature: 0 }, { key })
    await expect.poll(async () => (await ask()).status).toBe(200)
    const { usage } = (await (await ask()).json()) as { usage: { total_tokens: number } }
    const before = await left(first, key)
    expect(before).toBe(1000 - 2 * usage.total_tokens)
    await first.kill('SIGKILL')

    const next = await startProcess(scripted, dataDir)
    expect(await left(next, key)).toBe(before)
    expect(await next.kill('SIGTERM')).toBe(0)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** Returns the status of each request of the key's account, latest first. */
async function statuses({ url }: ServeProcess, key: string): Promise<string[]> {
  const requests = await fetch(`${url}/v1/requests`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { data } = (await requests.json()) as { data: { status: string }[] }
  return data.map(({ status }) => status)
}
