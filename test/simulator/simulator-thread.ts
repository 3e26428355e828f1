import { parentPort, workerData } from 'node:worker_threads'
import type { CampaignResult, Replay, SabotagesFound, Task } from './campaign.ts'
import { sabotages } from './sabotages.ts'
import { newSchedule } from './schedule.ts'
import { shrink } from './shrink.ts'
import { newDatabaseImage } from './simulated/store.ts'
import { simulate } from './world.ts'

/**
 * Every seed divisible by this number runs twice, to check that a schedule always runs the same way. Only then does a
 * seed reproduce a failure.
 */
const repeatedEvery = 50

const image = await newDatabaseImage()
parentPort?.postMessage(await run(workerData as Task))

function run(task: Task): Promise<CampaignResult | Replay | SabotagesFound> {
  switch (task.type) {
    case 'campaign':
      return runSeeds(task)
    case 'replay':
      return replay(task.seed)
    case 'sabotages':
      return findSabotages(task)
  }
}

async function runSeeds({ from, to }: { from: number; to: number }): Promise<CampaignResult> {
  const result: CampaignResult = { schedules: 0, attempts: 0, starts: 0, ends: {}, failures: [] }
  for (let seed = from; seed < to; seed++) {
    const { faults, attempts, starts, ends, journal } = await simulate(newSchedule(seed), image)
    if (
      seed % repeatedEvery === 0 &&
      (await simulate(newSchedule(seed), image)).journal !== journal
    )
      faults.push('the second run of the same schedule had another course')
    result.schedules += 1
    result.attempts += attempts
    result.starts += starts
    for (const end of ends) result.ends[end] = (result.ends[end] ?? 0) + 1
    if (faults.length > 0) result.failures.push({ seed, faults })
  }
  return result
}

async function replay(seed: number): Promise<Replay> {
  const schedule = newSchedule(seed)
  const { faults, journal } = await simulate(schedule, image)
  const run = async (one: typeof schedule) => (await simulate(one, image)).faults
  const smallest = faults.length > 0 ? await shrink(schedule, run) : undefined
  return { faults, journal, smallest }
}

async function findSabotages({ from, to }: { from: number; to: number }): Promise<SabotagesFound> {
  const found: SabotagesFound = {}
  for (const [name, apply] of Object.entries(sabotages)) {
    const undo = apply()
    found[name] = undefined
    for (let seed = from; seed < to && found[name] === undefined; seed++) {
      const [fault] = (await simulate(newSchedule(seed), image)).faults
      if (fault !== undefined) found[name] = { seed, fault }
    }
    undo()
  }
  return found
}
