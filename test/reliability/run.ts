// Runs the tests that carry the id of a goal, fault or threat, then the sabotages, and writes docs/reliability.json and
// docs/reliability.md: npm run reliability [-- --only F06[,T13]] [--skip-sabotages] [--skip-tests]
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageRoot } from '../../src/paths.ts'
import { readProofs } from '../../tools/security/read-proofs.ts'
import { readSabotages } from '../faults/sabotage/runner/read-sabotages.ts'
import { runSabotages } from '../faults/sabotage/runner/run-sabotages.ts'
import type { Sabotage } from '../faults/sabotage/sabotage.ts'
import { knownIds, reliabilityPage, renderReliability } from './page.ts'
import {
  type Records,
  readRecords,
  withFiles,
  withoutRemoved,
  withSabotage,
  writeRecords,
} from './records.ts'
import { runTests, toRuns } from './run-tests.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    'skip-tests': { type: 'boolean', default: false },
    'skip-sabotages': { type: 'boolean', default: false },
  },
})
const ids = values.only?.split(',').map((id) => id.trim())
const unknown = ids?.filter((id) => !knownIds.has(id)) ?? []
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())

if (unknown.length > 0) {
  console.error(`No row has the id ${unknown.join(', ')}.`)
  process.exitCode = 1
} else {
  try {
    process.exitCode = await main()
  } catch (error) {
    if (!stop.signal.aborted) throw error
    console.error('Interrupted. The results so far are in docs/reliability.json.')
    process.exitCode = 130
  }
}

async function main(): Promise<number> {
  const all = await readSabotages()
  const isWanted = (id: string) => ids?.includes(id) ?? true
  const isKnown = ({ id, breaks }: Pick<Sabotage, 'id' | 'breaks'>) =>
    all.some((one) => one.id === id && one.breaks === breaks)
  const exists = (file: string) => existsSync(join(packageRoot, file))
  let records = withoutRemoved(readRecords(), exists, isKnown)
  const keep = (next: Records) => {
    records = next
    writeRecords(next)
    writeFileSync(reliabilityPage, renderReliability(next))
  }
  keep(records)
  let faults = 0
  for (const files of values['skip-tests'] ? [] : toRuns(testFiles(isWanted))) {
    const { tests, findings, fault } = await runTests(files, stop.signal)
    const failed = tests.filter(({ status }) => status === 'failed')
    faults += failed.length + (fault === '' ? 0 : 1)
    console.log(
      `${files.join(' ')}: ${tests.length} tests with ids, ${failed.length} failed ${fault}`,
    )
    // A run that was cut off has no results for its files, so their earlier results are kept.
    if (tests.length > 0 || fault === '') keep(withFiles(records, files, { tests, findings }))
  }
  const wanted = all.filter(({ id }) => !values['skip-sabotages'] && isWanted(id))
  if (wanted.length > 0)
    await runSabotages(wanted, {
      signal: stop.signal,
      log: (line) => console.log(line),
      keep: (result) => {
        if (result.outcome !== 'red') faults += 1
        keep(withSabotage(records, result))
      },
    })
  return faults === 0 ? 0 : 1
}

/** Returns the files of tests that carry a wanted id in a title, or record a finding for it. */
function testFiles(isWanted: (id: string) => boolean): string[] {
  const proven = readProofs(packageRoot).filter(({ ids }) => ids.some(isWanted))
  const list = ['ls-files', '-co', '--exclude-standard', '*.test.ts']
  const recording = execFileSync('git', list, { cwd: packageRoot, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && recordedIds(path).some(isWanted))
  return [...new Set([...proven.map(({ path }) => path), ...recording])]
}

function recordedIds(path: string): string[] {
  const absolute = join(packageRoot, path)
  const text = existsSync(absolute) ? readFileSync(absolute, 'utf8') : ''
  return [...text.matchAll(/recordFinding\(\s*'([A-Z]\d+)'/g)].flatMap(([, id]) => id ?? [])
}
