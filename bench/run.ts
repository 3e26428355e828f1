// node bench/run.ts NAME [options], see README.md
import { benchEngine } from './engine/engine.ts'
import { benchAdmission } from './front/admission.ts'
import { benchFront } from './front/front.ts'
import { benchLimit } from './engine/limit.ts'
import { benchLookup } from './engine/lookup.ts'
import { benchOverload } from './overload/overload.ts'
import { type BenchResult, saveFindings } from './findings.ts'
import { parseCommandLine, type BenchOptions } from './options.ts'
import { describeRun, saveResults } from './report.ts'
import { benchPanel } from './panel/panel.ts'
import { benchPull } from './pull/pull.ts'
import { benchPrefix } from './engine/prefix.ts'
import { benchSampler } from './engine/sampler.ts'
import { benchSoak } from './soak/soak.ts'
import { benchStall } from './engine/stall.ts'
import { benchStart } from './start.ts'
import { benchTurns } from './front/turns.ts'
import { benchUpstream } from './upstream/upstream.ts'
import { benchUsage } from './usage/usage.ts'

const benches: Record<string, (options: BenchOptions) => Promise<string | BenchResult>> = {
  start: benchStart,
  front: benchFront,
  turns: benchTurns,
  upstream: benchUpstream,
  admission: benchAdmission,
  engine: benchEngine,
  prefix: benchPrefix,
  stall: benchStall,
  lookup: benchLookup,
  limit: benchLimit,
  sampler: benchSampler,
  overload: benchOverload,
  soak: benchSoak,
  usage: benchUsage,
  panel: benchPanel,
  pull: benchPull,
}

// Running servers are killed when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

const args = process.argv.slice(2)
const { name, section, save, options } = parseCommandLine(args)
const bench = benches[name]
if (bench === undefined) {
  process.stderr.write(`Name a benchmark: npm run bench -- ${Object.keys(benches).join(' | ')}\n`)
  process.exitCode = 2
} else {
  // The result names the commit of the folder. Local paths are left out.
  const places = new Map([
    [options.against, 'FOLDER'],
    [options.ikServer, 'FILE'],
  ])
  const shown = args.map((arg) => places.get(arg) ?? arg)
  const heading = await describeRun(`npm run bench -- ${shown.join(' ')}`)
  const result = await bench(options)
  const { markdown: text, findings } =
    typeof result === 'string' ? { markdown: result, findings: [] } : result
  const markdown = `${heading}\n\n${text}`
  process.stdout.write(`${markdown}\n`)
  for (const { id, sentence } of findings) process.stdout.write(`\n${id}: ${sentence}\n`)
  if (save) {
    saveResults(section, markdown)
    if (findings.length > 0) saveFindings(`bench/${name}/${name}.ts`, findings)
  }
}
