import { afterAll, expect, test } from 'vitest'
import type { Engine, Prompt } from '../../src/engine/engine.ts'
import {
  collect,
  never,
  randomModelIn,
  requestFor,
  say,
  startEngine,
  temporaryFolder,
} from '../support/engine/engine-fixtures.ts'

const folder = temporaryFolder()
const modelPath = randomModelIn(folder.path, { contextTokens: 4096 })
afterAll(() => folder.remove())

const callers = 7
const roundsMax = 10

test('short prompts overtake a long one, which still makes progress (T18)', async () => {
  const engine = await startEngine({ modelPath, slots: 1 + callers })
  try {
    let shortDone = 0
    // The callers send their next prompt when a reply arrives. If this process gets no processor in time, the long
    // prompt ends first, and another round follows. If short prompts got no share of the rows, no round would have
    // enough replies.
    for (let round = 0; round < roundsMax && shortDone < 2 * callers; round += 1) {
      const long = await say(engine, `${round} pipits sing above the meadow. `.repeat(100))
      shortDone = await shortRepliesBefore(engine, long, round)
      // Short prompts get up to three rows for each row of the long prompt, and each has at least 16 rows.
      expect(shortDone).toBeLessThanOrEqual((3 * long.tokens.length) / 16 + callers)
    }
    expect(shortDone).toBeGreaterThanOrEqual(2 * callers)
  } finally {
    await engine.close()
  }
})

/** Returns how many short prompts get their reply before the long one. Each caller sends one short prompt at a time. */
async function shortRepliesBefore(engine: Engine, long: Prompt, round: number): Promise<number> {
  const short = await Promise.all(
    Array.from({ length: 40 * callers }, (_, number) => say(engine, `${round} Number ${number}`)),
  )
  let shortDone = 0
  let longDone = false
  const first = collect(engine.generate(requestFor(long, { maxTokens: 1 }), never)).then(() => {
    longDone = true
  })
  const caller = async () => {
    while (!longDone) {
      const next = short.pop()
      if (next === undefined) return
      await collect(engine.generate(requestFor(next, { maxTokens: 1 }), never))
      if (!longDone) shortDone += 1
    }
  }
  await Promise.all([first, ...Array.from({ length: callers }, caller)])
  return shortDone
}
