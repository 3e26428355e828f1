import type { Schedule, SimulatedEvent } from './schedule.ts'

const runsMax = 500

/** Returns a smaller schedule with the same kind of fault: fewer events, then simpler ones, then fewer limits. */
export async function shrink(
  schedule: Schedule,
  run: (schedule: Schedule) => Promise<string[]>,
): Promise<Schedule> {
  const kind = kindOf((await run(schedule))[0])
  let smallest = schedule
  let runs = 0
  const tryThis = async (candidate: Schedule): Promise<boolean> => {
    if (runs >= runsMax) return false
    runs += 1
    const fails = (await run(candidate)).some((fault) => kindOf(fault) === kind)
    if (fails) smallest = candidate
    return fails
  }
  for (let size = Math.ceil(schedule.events.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < smallest.events.length;) {
      const events = smallest.events.toSpliced(at, size)
      if (!(await tryThis({ ...smallest, events }))) at += size
    }
  for (const index of smallest.events.keys())
    for (const [name, value] of plainValues) {
      const event = smallest.events[index]
      if (event === undefined || !(name in event) || Reflect.get(event, name) === value) continue
      const plain = { ...event, [name]: value } as SimulatedEvent
      await tryThis({ ...smallest, events: smallest.events.with(index, plain) })
    }
  for (const index of smallest.keys.keys()) {
    const key = smallest.keys[index]
    if (key !== undefined)
      await tryThis({ ...smallest, keys: smallest.keys.with(index, { ...key, limits: {} }) })
  }
  await tryThis({ ...smallest, accountLimits: {} })
  return smallest
}

const plainValues = [
  ['retries', 0],
  ['hangUpMs', undefined],
  ['bodyMs', 0],
  ['choices', 1],
  ['reader', 'fast'],
  ['once', undefined],
  ['stream', false],
] as const

/** Returns the first line of a fault without its numbers, which differ between schedules. */
function kindOf(fault = ''): string {
  return fault.split('\n')[0]?.replaceAll(/\d+/g, '#') ?? ''
}
