import { describe, expect, test } from 'vitest'
import { codeOf } from '../../support/error-of.ts'
import { postPanel, setUp, signIn } from '../../support/panel/panel.ts'
import { startTestService, type TestService } from '../../support/service.ts'

const behindProxy = { PIPIT_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' }

/**
 * Sends invalid reset links until the service refuses more attempts from this client. Returns the number of attempts.
 */
async function attemptsUntilRefused(service: TestService, forwardedFor: string): Promise<number> {
  for (let attempts = 1; attempts <= 100; attempts++)
    if ((await guessLink(service, forwardedFor))[0] === 429) return attempts
  return 0
}

async function guessLink(service: TestService, forwardedFor: string) {
  const body = { secret: 'not a link', password: 'long enough' }
  const headers = { 'x-forwarded-for': forwardedFor }
  return await codeOf(await postPanel(service, '/reset-password', body, headers))
}

describe('behind a proxy of PIPIT_TRUSTED_PROXIES', () => {
  test('each client has its own counter of failed attempts (T10, T56)', async () => {
    const service = await startTestService({ environment: behindProxy })
    try {
      expect(await attemptsUntilRefused(service, '203.0.113.1')).toBe(51)
      expect(await guessLink(service, '203.0.113.1')).toEqual([429, 'too_many_attempts'])
      expect(await guessLink(service, '203.0.113.2')).toEqual([410, 'link_expired'])
    } finally {
      await service.close()
    }
  })

  test('addresses that the client writes in front of its own do not count (T10, T56)', async () => {
    const service = await startTestService({ environment: behindProxy })
    try {
      await attemptsUntilRefused(service, '203.0.113.1')
      expect((await guessLink(service, '203.0.113.9'))[0]).toBe(410)
      for (const forged of ['203.0.113.9', '127.0.0.1', 'unknown', '10.1.2.3'])
        expect((await guessLink(service, `${forged}, 203.0.113.1, 10.0.0.7`))[0]).toBe(429)
      // A port that a proxy adds is not part of the address.
      expect((await guessLink(service, '203.0.113.1:50123'))[0]).toBe(429)
      expect((await guessLink(service, '::ffff:203.0.113.1'))[0]).toBe(429)
    } finally {
      await service.close()
    }
  })

  test("a session is listed with the client's address", async () => {
    const service = await startTestService({ environment: behindProxy })
    try {
      const ada = await setUp(service)
      const there = { 'x-forwarded-for': '198.51.100.7' }
      const { email } = ada.me.user
      const body = { email, password: 'correct horse battery' }
      await postPanel(service, '/auth/sign-in/email', body, there)
      const sessions = (await (await ada.get('/auth/list-sessions')).json()) as {
        ipAddress: string
      }[]
      expect(sessions.map(({ ipAddress }) => ipAddress)).toEqual(['198.51.100.7', '127.0.0.1'])
    } finally {
      await service.close()
    }
  })
})

test('forwarded headers of any other peer are ignored (T10, T56)', async () => {
  const service = await startTestService({ environment: { PIPIT_TRUSTED_PROXIES: '10.0.0.0/8' } })
  try {
    await setUp(service)
    const addresses = Array.from({ length: 51 }, (_, i) => `203.0.113.${i}`)
    for (const address of addresses.slice(0, 50)) await guessLink(service, address)
    expect(await guessLink(service, '203.0.113.200')).toEqual([429, 'too_many_attempts'])
    const forged = { 'x-forwarded-host': 'pipit.example.com', 'x-forwarded-proto': 'https' }
    const origin = { origin: 'https://pipit.example.com' }
    const refused = await postPanel(service, '/auth/sign-out', {}, { ...forged, ...origin })
    expect(await codeOf(refused)).toEqual([403, 'origin_not_allowed'])
    expect((await signIn(service).catch((error: Error) => error.message)) as string).toContain(
      '429',
    )
  } finally {
    await service.close()
  }
})
