import { expect, test } from 'vitest'
import { networkOf } from './network-of.ts'

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0001:0002:3:4:5:6', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s belongs to the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
