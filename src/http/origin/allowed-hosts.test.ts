import { expect, test } from 'vitest'
import { allowedHosts } from './allowed-hosts.ts'

const settings = { publicUrl: undefined, names: [], machineName: 'Box.example.com' }

test('a service that others can reach answers to the name of its machine', () => {
  const isAllowed = allowedHosts({ ...settings, host: '0.0.0.0' })
  const names = ['box.example.com', 'BOX.example.com:8080', 'box.local', 'box', 'example.com']
  expect(names.map(isAllowed)).toEqual([true, true, true, false, false])
})

test('a service on loopback does not answer to the name of its machine', () => {
  const isAllowed = allowedHosts({ ...settings, host: '127.0.0.1' })
  expect(['box.example.com', 'box.local', 'localhost'].map(isAllowed)).toEqual([false, false, true])
})

test('the name of PIPIT_HOST is allowed', () => {
  const isAllowed = allowedHosts({ ...settings, host: 'Pipit.Intern' })
  expect(['pipit.intern:8080', 'intern'].map(isAllowed)).toEqual([true, false])
})

test('a long host costs no more than reading it', () => {
  const isAllowed = allowedHosts({ ...settings, host: '127.0.0.1' })
  for (const part of ['a', 'a.', 'a-', '_', '::', '['])
    expect(isAllowed(`${part.repeat(100_000)}!`)).toBe(false)
})
