import { expect, test } from 'vitest'
import { workOf } from '../../../test/support/schemas/compile-work.ts'
import { HostileSchemas } from '../../../test/support/schemas/hostile-schemas.ts'
import { schemaBytesMax } from '../../limits.ts'

const tries = 4000

test(
  'random hostile schemas: none costs a second of the processor (T25, T47)',
  { timeout: 600_000 },
  () => {
    const schemas = new HostileSchemas(1)
    let slowest = { cpuMs: 0, work: 0, text: '' }
    let compiled = 0
    for (let index = 0; index < tries; index++) {
      const text = JSON.stringify(schemas.next())
      if (text.length > schemaBytesMax) continue
      compiled += 1
      const seen = workOf(JSON.parse(text) as object)
      if (seen.cpuMs > slowest.cpuMs) slowest = { ...seen, text }
    }
    console.log({ compiled, ...slowest, text: slowest.text.slice(0, 1000) })
    expect(compiled).toBeGreaterThan(tries / 4)
    expect(slowest.cpuMs).toBeLessThan(1000)
  },
)
