import { expect, test } from 'vitest'
import { trustedProxies } from '../../addresses.ts'
import { clientAddress } from './client-address.ts'

const isTrusted = trustedProxies(['127.0.0.1', '10.0.0.0/8', '2001:db8:1::/48'])

test.each([
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['::ffff:127.0.0.1', '203.0.113.1', '203.0.113.1'],
  ['198.51.100.1', '203.0.113.1', '198.51.100.1'],
  ['127.0.0.1', '203.0.113.9, 203.0.113.1, 10.0.0.7', '203.0.113.1'],
  ['127.0.0.1', '10.0.0.8,10.0.0.7', '10.0.0.8'],
  ['127.0.0.1', '203.0.113.1, unknown', '127.0.0.1'],
  ['127.0.0.1', '203.0.113.1, unknown, 10.0.0.7', '10.0.0.7'],
  ['127.0.0.1', '', '127.0.0.1'],
  ['127.0.0.1', '203.0.113.1:50123', '203.0.113.1'],
  ['127.0.0.1', '[2001:DB8::7]:50123', '2001:db8::7'],
  ['2001:db8:1::1', '::ffff:203.0.113.1', '203.0.113.1'],
  // Only the last 16 hops are read.
  ['127.0.0.1', `203.0.113.1${', 10.0.0.7'.repeat(8000)}`, '10.0.0.7'],
])('from %s with X-Forwarded-For %s: %s', (remoteAddress, forwardedFor, client) => {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  expect(clientAddress({ socket: { remoteAddress }, headers }, isTrusted)).toBe(client)
})
