import { expect, test } from 'vitest'
import { testSeed } from '../../support/random/test-seed.ts'
import { simulateUpstreams } from './simulate-upstreams.ts'

test.for([
  { services: 16, engines: 4, replyTokens: 250 },
  // Most replies end between two reports, which are therefore wrong by the time they are used.
  { services: 16, engines: 16, replyTokens: 25 },
])('services that read the load of $engines engines spread it better', (world) => {
  const run = (reads: boolean) =>
    simulateUpstreams({ ...world, reads, seconds: 60, seed: testSeed }).excess
  const [own, read] = [run(false), run(true)]
  expect(read).toBeLessThan(0.75 * own)
})
