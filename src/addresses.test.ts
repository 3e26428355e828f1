import { expect, test } from 'vitest'
import { canonicalAddress, trustedProxies } from './addresses.ts'

test('addresses and networks are trusted in every spelling, and no others are', () => {
  const isTrusted = trustedProxies(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])
  const trusted = ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '10.255.0.3', '::1', 'FD12::9']
  expect(trusted.filter((address) => !isTrusted(address))).toEqual([])
  const others = [
    '127.0.0.2',
    '11.0.0.1',
    '::2',
    'fe80::1%eth0',
    '',
    'localhost',
    '127.1',
    '0x7f.1',
  ]
  expect(others.filter((address) => isTrusted(address))).toEqual([])
})

test('without entries, no address is trusted', () => {
  expect(trustedProxies([])('127.0.0.1')).toBe(false)
})

test.each([
  'proxy',
  '10.0.0',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  'fd00::/129',
])('the entry %s is refused', (entry) =>
  expect(() => trustedProxies(['::1', entry])).toThrow(new TypeError(entry)),
)

test('an address has one spelling', () => {
  expect(canonicalAddress('::FFFF:203.0.113.7')).toBe('203.0.113.7')
  expect(canonicalAddress('2001:DB8:0:0::7%eth0')).toBe('2001:db8::7')
  expect(canonicalAddress('203.0.113.007')).toBeUndefined()
})
