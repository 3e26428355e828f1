// Breaks the code on purpose, one sabotage at a time, and expects the named tests to fail:
// npm run test:sabotage [-- --only F06[,F09]] [--out FILE]
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../../../src/paths.ts'
import { faultsOf, readSabotages } from './read-sabotages.ts'
import { runSabotages } from './run-sabotages.ts'
import type { SabotageResult } from './try-sabotage.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    out: { type: 'string', default: join(packageRoot, 'build/sabotage.json') },
  },
})
const ids = values.only?.split(',').map((id) => id.trim())
const all = await readSabotages()
const unknown = ids?.filter((wanted) => !all.some(({ id }) => id === wanted)) ?? []
const sabotages = all.filter(({ id }) => ids?.includes(id) ?? true)
const faults = sabotages.flatMap((sabotage) => faultsOf(sabotage))
if (unknown.length > 0)
  faults.push(`No sabotage has these ids: ${unknown.map((id) => JSON.stringify(id)).join(', ')}.`)

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())

if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exitCode = 1
} else {
  process.exitCode = await main()
}

async function main(): Promise<number> {
  const results: SabotageResult[] = []
  mkdirSync(dirname(values.out), { recursive: true })
  try {
    await runSabotages(sabotages, {
      signal: stop.signal,
      log: (line) => console.log(line),
      keep: (result) => {
        results.push(result)
        writeFileSync(values.out, `${JSON.stringify(results, null, 2)}\n`)
      },
    })
  } catch (error) {
    if (!stop.signal.aborted) throw error
    console.error('Interrupted.')
    return 130
  }
  const open = results.filter(({ outcome }) => outcome !== 'red')
  console.log(
    `${results.length - open.length} of ${results.length} sabotages made their test fail.`,
  )
  for (const { id, outcome, test } of open)
    console.log(`  ${id} ${outcome}: ${test.file}, ${test.title}`)
  return open.length === 0 ? 0 : 1
}
