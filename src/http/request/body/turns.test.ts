import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('each round of the event loop has one turn; who asks for the next round comes before those that wait', async () => {
  const turns = new Turns()
  let round = 0
  const seen: string[] = []
  const takeTurns = async (name: string, goesOn: boolean) => {
    await turns.next()
    seen.push(`${name} in round ${round}`)
    if (!goesOn) return
    await turns.nextRound()
    seen.push(`${name} again in round ${round}`)
  }
  const all = Promise.all([takeTurns('a', true), takeTurns('b', true), takeTurns('c', false)])
  for (; seen.length < 5; round += 1) await setImmediate()
  await all
  expect(seen).toEqual([
    'a in round 0',
    'a again in round 1',
    'b in round 2',
    'b again in round 3',
    'c in round 4',
  ])
})
