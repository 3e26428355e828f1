import { expect, test } from 'vitest'
import { throwIfUntrusted } from './service-address.ts'

test.each([
  ['CERT_HAS_EXPIRED', 'Renew it.'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'Use a host name that it has.'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'Name the file of its authority, or its own, in NODE_EXTRA_CA_CERTS.',
  ],
])('a certificate with the fault %s has a remedy', (code, remedy) => {
  const cause = Object.assign(new Error('handshake'), { code })
  const failed = new TypeError('fetch failed', { cause })
  const url = 'https://chat.example'
  expect(() => throwIfUntrusted(url, failed)).toThrow(
    `The certificate of ${url} is not trusted (${code}). ${remedy}`,
  )
})

test('an error that no certificate has caused is left to the caller', () => {
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  throwIfUntrusted('https://chat.example', new TypeError('fetch failed', { cause }))
})
