import { Admission } from '../../src/completions/admission/admission.ts'
import type { BenchOptions } from '../options.ts'
import { figure, progress, table } from '../report.ts'

const requests = 100_000
const slots = 8
const tokens = 8
const work = { promptTokens: 20, outputTokensMax: tokens }
const holders = Array.from({ length: 6 }, (_, index) => ({
  accountId: `account-${index % 3}`,
  keyId: `key-${index}`,
}))
const never = new AbortController().signal

/** Measures the main thread's processor time for admission, per request from its arrival to its last token. */
export async function benchAdmission({ rounds }: BenchOptions): Promise<string> {
  const loads = [
    { name: 'slots are free', callers: 1, times: new Array<number>() },
    { name: '24 requests wait', callers: slots + 24, times: new Array<number>() },
    { name: '300 requests wait', callers: slots + 300, times: new Array<number>() },
  ]
  for (const { callers } of loads) await measure(callers)
  for (let round = 0; round < rounds; round++) {
    for (const { callers, times } of loads) times.push(await measure(callers))
    progress(`round ${round + 1}/${rounds}`)
  }
  return [
    `${requests.toLocaleString('en')} requests of ${holders.length} keys of 3 accounts on ${slots} slots, ${rounds} rounds; processor time of the`,
    'main thread for the whole way of a request through admission, median (least–most).',
    '',
    table(
      ['', 'µs for each request'],
      loads.map(({ name, times }) => [name, figure(times)]),
    ),
  ].join('\n')
}

/** Returns µs of processor time for each request. */
async function measure(callers: number): Promise<number> {
  const admission = new Admission({ slots })
  let sent = 0
  const call = async () => {
    while (sent < requests) {
      const place = admission.enter(holders[sent++ % holders.length]!)
      try {
        place.addBodyBytes(200)
        place.start()
        place.expect({})
        await place.takeSlots(1, work, never)
        // Lets other callers run before this reply ends.
        await Promise.resolve()
        for (let token = 0; token < tokens; token++) place.noteTokens(1)
      } finally {
        place.leave()
      }
    }
  }
  const before = process.threadCpuUsage()
  await Promise.all(Array.from({ length: callers }, call))
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / requests
}
