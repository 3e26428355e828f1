import { afterAll, expect, test } from 'vitest'
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

test('short prompts overtake a long one, which still makes progress (T18)', async () => {
  const callers = 7
  const engine = await startEngine({ modelPath, slots: 1 + callers })
  try {
    const long = await say(engine, 'The pipit sings above the meadow. '.repeat(100))
    const short = await Promise.all(
      Array.from({ length: 40 * callers }, (_, number) => say(engine, `Number ${number}`)),
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

    // Short prompts get up to three rows for each row of the long prompt, and each has at least 16 rows.
    expect(shortDone).toBeGreaterThanOrEqual(2 * callers)
    expect(shortDone).toBeLessThanOrEqual((3 * long.tokens.length) / 16 + callers)
  } finally {
    await engine.close()
  }
})
