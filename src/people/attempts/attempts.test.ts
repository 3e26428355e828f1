import { beforeEach, describe, expect, test } from 'vitest'
import { solveChallenge } from '../../../panel/src/proof-of-work.ts'
import { ServiceError } from '../../errors.ts'
import {
  attemptsOfAccountFree,
  attemptsOfNetworkFree,
  attemptsSubjectsMax,
  proofBitsMax,
  proofBitsMin,
} from './attempt-limits.ts'
import { Attempts } from './attempts.ts'
import { Devices } from './devices.ts'
import { Proofs } from './proofs.ts'

const email = 'ada@example.com'
const password = { secret: 'password', email } as const
const code = { secret: 'code', email } as const

let nowMs: number
let devices: Devices
let attempts: Attempts
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1)
  const now = () => nowMs
  devices = new Devices({ secret: 'a secret', now, url: () => 'http://127.0.0.1' })
  attempts = new Attempts({ now, devices, proofs: new Proofs({ secret: 'a secret', now }) })
})

const at = (ip: string, headers: Record<string, string> = {}) => ({ ip, headers })
let addresses = 0
const anywhere = (headers?: Record<string, string>) =>
  at(`10.0.${++addresses >> 8}.${addresses & 255}`, headers)
const deviceOf = (user: string) => devices.remember(undefined, user)?.split(';', 1)[0] ?? ''
const refusal = (begin: () => unknown): ServiceError | undefined => {
  try {
    begin()
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}
const failures = (count: number, target: typeof password | typeof code) => {
  for (let i = 0; i < count; i++) attempts.begin(anywhere(), target)
}
/** Returns the bits of the challenge for the next attempt from an unknown browser; 0 if there is no challenge. */
const bitsNow = () => {
  const refused = refusal(() => attempts.begin(anywhere(), password))
  return Number.parseInt(refused?.challenge ?? '0', 10)
}

describe('a stranger who guesses a password', () => {
  test('needs a proof of work after some failures, from any address (T10, T56)', async () => {
    failures(attemptsOfAccountFree, password)
    const refused = refusal(() => attempts.begin(anywhere(), password))
    expect([refused?.code, refused?.retryAfterMs]).toEqual(['too_many_attempts', undefined])
    const proof = await solveChallenge(refused?.challenge ?? '')
    attempts.begin(anywhere({ 'pipit-proof': proof }), password)
  })

  test('pays for a guess with up to 2^24 hashes (T10, T56)', async () => {
    const easy = {
      now: () => nowMs,
      devices,
      proofs: new Proofs({ secret: 'a secret', now: () => nowMs }),
    }
    easy.proofs.accept = () => true
    attempts = new Attempts(easy)
    failures(attemptsOfAccountFree, password)
    const bits: number[] = []
    for (let i = 0; i < 20; i++) {
      bits.push(bitsNow())
      attempts.begin(anywhere({ 'pipit-proof': 'any' }), password)
    }
    expect(bits[0]).toBe(proofBitsMin)
    expect(bits.slice(14)).toEqual(Array.from({ length: 6 }, () => proofBitsMax))
    expect(16 * 2 ** proofBitsMax).toBe(2 ** 24)
  })

  test('uses a proof once, for one account, for five minutes (T10, T56)', async () => {
    failures(attemptsOfAccountFree, password)
    const challenge = refusal(() => attempts.begin(anywhere(), password))?.challenge ?? ''
    const proof = { 'pipit-proof': await solveChallenge(challenge) }
    const bob = { secret: 'password', email: 'bob@example.com' } as const
    for (let i = 0; i < attemptsOfAccountFree; i++) attempts.begin(anywhere(), bob)
    expect(refusal(() => attempts.begin(anywhere(proof), bob))?.challenge).toBeDefined()
    nowMs += 300_001
    expect(refusal(() => attempts.begin(anywhere(proof), password))?.challenge).toBeDefined()
    nowMs -= 300_001
    attempts.begin(anywhere(proof), password)
    expect(refusal(() => attempts.begin(anywhere(proof), password))?.challenge).toBeDefined()
  })

  test.each([
    ['nothing', () => ''],
    ['the challenge alone', (challenge: string) => challenge],
    ['wrong numbers', (challenge: string) => `${challenge}.${'1-'.repeat(15)}1`],
    ['too few numbers', (_: string, proof: string) => proof.slice(0, proof.lastIndexOf('-'))],
    ['fewer bits than signed', (_: string, proof: string) => proof.replace(/^\d+/, '1')],
    ['a foreign signature', (_: string, proof: string) => proof.replace(/\.[\w-]{43}\./, '.x.')],
    [
      'a challenge that it has signed itself',
      () => solveChallenge(`${proofBitsMin}.${nowMs + 300_000}.abc.${'x'.repeat(43)}`),
    ],
  ])('cannot use %s for a proof', async (_, forge) => {
    failures(attemptsOfAccountFree, password)
    const challenge = refusal(() => attempts.begin(anywhere(), password))?.challenge ?? ''
    const proof = await forge(challenge, await solveChallenge(challenge))
    const refused = refusal(() => attempts.begin(anywhere({ 'pipit-proof': proof }), password))
    expect(refused?.challenge).toBeDefined()
  })

  test('may give the proof to another service with the same secret (T56)', async () => {
    failures(attemptsOfAccountFree, password)
    const challenge = refusal(() => attempts.begin(anywhere(), password))?.challenge ?? ''
    const proof = await solveChallenge(challenge)
    const purpose = `password ${email}`
    const acceptedWith = (secret: string) =>
      new Proofs({ secret, now: () => nowMs }).accept(proof, purpose, proofBitsMin)
    expect([acceptedWith('a secret'), acceptedWith('another')]).toEqual([true, false])
  })

  test('pays for each guess, but cannot keep out the owner at the same network (T10, T56)', () => {
    const proofs = new Proofs({ secret: 'a secret', now: () => nowMs })
    const bits: number[] = []
    proofs.accept = (_proof, _purpose, bitsWanted) => bits.push(bitsWanted) > 0
    attempts = new Attempts({ now: () => nowMs, devices, proofs })
    const solved = at('192.0.2.1', { 'pipit-proof': 'any' })
    for (let i = 0; i < 1000; i++) attempts.begin(solved, password)
    const ofOwner: unknown[] = []
    for (let second = 0; second < 600; second++) {
      nowMs += 1000
      refusal(() => attempts.begin(solved, password))
      if (second % 10 > 0) continue
      for (const step of [password, code])
        ofOwner.push(refusal(() => attempts.begin(solved, step)())?.message ?? 'checked')
    }
    expect(new Set(ofOwner)).toEqual(new Set(['checked']))
    expect(new Set(bits.slice(100))).toEqual(new Set([proofBitsMax]))
    const unsolved = refusal(() => attempts.begin(at('192.0.2.1'), password))
    expect(unsolved?.challenge).toMatch(new RegExp(`^${proofBitsMax}\\.`))
  })

  test('gets no more guesses when the owner signs in (T10)', () => {
    failures(attemptsOfAccountFree - 1, password)
    for (let i = 0; i < 10; i++) attempts.begin(anywhere(), password)()
    expect(bitsNow()).toBe(0)
    expect(bitsNow()).toBe(proofBitsMin)
  })
})

describe('a remembered browser', () => {
  test('is not refused while strangers guess, by networks or at its own address (T10, T56)', () => {
    const cookie = deviceOf(email)
    for (let i = 0; i < attemptsOfNetworkFree; i++)
      attempts.begin(at('192.0.2.1'), { secret: 'password', email: `user${i}@example.com` })
    failures(attemptsOfAccountFree, password)
    failures(attemptsOfAccountFree, code)
    for (let i = 0; i < 15; i++) {
      attempts.begin(at('192.0.2.1', { cookie }), password)()
      attempts.begin(at('192.0.2.1', { cookie }), code)()
    }
  })

  test('waits up to a minute when it guesses itself', () => {
    const client = at('192.0.2.1', { cookie: deviceOf(email) })
    for (let i = 0; i < attemptsOfAccountFree; i++) attempts.begin(client, password)
    const waits: number[] = []
    for (let i = 0; i < 8; i++) {
      const waitMs = refusal(() => attempts.begin(client, password))?.retryAfterMs ?? 0
      waits.push(waitMs)
      nowMs += waitMs
      attempts.begin(client, password)
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  test('is a stranger for other users, with a changed cookie and after a year', () => {
    failures(attemptsOfAccountFree, password)
    const cookie = deviceOf(email)
    const isStranger = (changed: string) =>
      refusal(() => attempts.begin(anywhere({ cookie: changed }), password)) !== undefined
    expect(isStranger(cookie)).toBe(false)
    const [name = ''] = cookie.split('=', 1)
    expect(isStranger(`${name}=${deviceOf('eve@example.com').split('=')[1]}`)).toBe(true)
    expect(isStranger(cookie.replace(/=\w/, '=x'))).toBe(true)
    expect(isStranger(cookie.slice(0, -1))).toBe(true)
    nowMs += 366 * 86_400_000
    failures(attemptsOfAccountFree, password)
    expect(isStranger(cookie)).toBe(true)
  })

  test('keeps its id when its cookie is renewed, which a new cookie is not', () => {
    const cookie = deviceOf(email)
    expect(devices.remember(cookie, email)).toBeUndefined()
    nowMs += 31 * 86_400_000
    const renewed = devices.remember(`theme=dark; ${cookie}`, email)?.split(';', 1)[0]
    expect(renewed).not.toBe(cookie)
    expect(devices.find(renewed, email)).toBe(devices.find(cookie, email))
  })
})

test('strangers wait up to 15 minutes for the next code, from any address (T10, T56)', () => {
  failures(attemptsOfAccountFree, code)
  let waitMs = 0
  for (let i = 0; i < 12; i++) {
    waitMs = refusal(() => attempts.begin(anywhere(), code))?.retryAfterMs ?? 0
    nowMs += waitMs
    attempts.begin(anywhere(), code)
  }
  expect(waitMs).toBe(900_000)
})

test('the wait for the next code names a way around it', () => {
  failures(attemptsOfAccountFree, code)
  expect(refusal(() => attempts.begin(anywhere(), code))?.message).toBe(
    'Too many failed attempts. Try again in 1 s, or sign in again and use a backup code.',
  )
})

test('links and passkeys, which cannot be guessed, never wait: a proof is enough (T10, T56)', async () => {
  for (let i = 0; i < attemptsOfNetworkFree; i++) attempts.begin(at('192.0.2.1'))
  const challenge = refusal(() => attempts.begin(at('192.0.2.1')))?.challenge ?? ''
  attempts.begin(at('192.0.2.1', { 'pipit-proof': await solveChallenge(challenge) }))
})

test('a passkey that signs in takes back the attempt that asked for its challenge', () => {
  for (let i = 0; i < 3 * attemptsOfNetworkFree; i++) {
    attempts.begin(at('192.0.2.1'))
    attempts.begin(at('192.0.2.1'))()
    attempts.takeBackEarlier(at('192.0.2.1'))
  }
  expect(refusal(() => attempts.begin(at('192.0.2.1')))).toBeUndefined()
})

test('addresses of one /64 count as one network (T10)', () => {
  let admitted = 0
  for (let i = 0; i < 200; i++) {
    const client = at(`2001:db8:1:2:${i.toString(16)}::${(i * 7).toString(16)}`)
    const target = { secret: 'password', email: `user${i}@example.com` } as const
    if (refusal(() => attempts.begin(client, target)) === undefined) admitted++
  }
  expect(admitted).toBe(attemptsOfNetworkFree)
  attempts.begin(at('2001:db8:1:3::1'), password)
})

test('parallel attempts count before their outcome is known', () => {
  const outcomes = Array.from({ length: attemptsOfAccountFree }, () =>
    attempts.begin(anywhere(), password),
  )
  expect(bitsNow()).toBe(proofBitsMin)
  for (const succeed of outcomes) succeed()
  expect(bitsNow()).toBe(0)
})

test('beyond the maximum of subjects, the least recent ones are forgotten', () => {
  failures(attemptsOfAccountFree, password)
  expect(bitsNow()).toBe(proofBitsMin)
  for (let i = 0; i < attemptsSubjectsMax; i++)
    attempts.begin(at(`172.${i >> 16}.${(i >> 8) & 255}.${i & 255}`))
  expect(bitsNow()).toBe(0)
})

test.each([
  ['127.0.0.1', '127.0.0.2', 'different networks'],
  ['::ffff:192.0.2.7', '192.0.2.7', 'one network'],
  ['::1', '0:0:0:0:ffff::1', 'one network'],
  ['2001:db8::1', '2001:db8:0:0:7::', 'one network'],
  ['2001:0DB8:0001:0002:3:4:5:6', '2001:db8:1:2::9', 'one network'],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', 'different networks'],
  ['fe80::1%eth0', 'fe80::2%wlan0', 'one network'],
])('%s and %s count as %s', (first, second, relation) => {
  for (let i = 0; i < attemptsOfNetworkFree; i++) attempts.begin(at(first))
  const refused = refusal(() => attempts.begin(at(second)))
  expect(refused !== undefined).toBe(relation === 'one network')
})
