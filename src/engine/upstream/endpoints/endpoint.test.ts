import { expect, test } from 'vitest'
import { Endpoint } from './endpoint.ts'

const [late, wrong] = [true, false]

function upstreamThatIsUp(): Endpoint {
  const endpoint = new Endpoint('http://10.0.0.5:8000')
  endpoint.admit(0)
  return endpoint
}

test('two late probes in a row eject an upstream, and a wrong reply does at once', () => {
  const saturated = upstreamThatIsUp()
  expect(saturated.noteFailedProbe(late)).toBe(false)
  expect(saturated.isUp).toBe(true)
  expect(saturated.noteFailedProbe(late)).toBe(true)
  expect(saturated.isUp).toBe(false)
  expect(upstreamThatIsUp().noteFailedProbe(wrong)).toBe(true)
})

test('a sign of life between two late probes keeps an upstream up', () => {
  const saturated = upstreamThatIsUp()
  saturated.noteFailedProbe(late)
  saturated.noteLife(1)
  expect(saturated.noteFailedProbe(late)).toBe(false)
  expect(saturated.isUp).toBe(true)
})

test('an upstream that has never been up is ejected by its first late probe', () => {
  expect(new Endpoint('http://10.0.0.5:8000').noteFailedProbe(late)).toBe(true)
})

test('a refused connection ejects an upstream at once, and three that break in a row do', () => {
  expect(upstreamThatIsUp().noteFault('unreachable')).toBe(true)
  const fragile = upstreamThatIsUp()
  expect(fragile.noteFault('lost')).toBe(false)
  fragile.noteSuccess()
  expect([1, 2, 3].map(() => fragile.noteFault('lost'))).toEqual([false, false, true])
})
