// node test/fuzz/run.ts [--count N] [--seed N] [--only front|engine] [--generator NAME] [--save] [--replay FILE]
// --save writes the figures to docs/reliability.json; runs with different seeds add up.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { saveFindings } from '../../bench/findings.ts'
import { packageRoot } from '../../src/paths.ts'
import { startProcess } from '../support/process.ts'
import { type CampaignReport, runCampaign } from './campaign.ts'
import { campaignsOf } from './campaigns.ts'
import { send } from './send.ts'
import { describeReport, faultsOfReport, findingOfReport } from './summary.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string' },
    generator: { type: 'string' },
    save: { type: 'boolean', default: false },
    replay: { type: 'string' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)

process.exitCode = values.replay === undefined ? await fuzz() : await replay(values.replay)

async function fuzz(): Promise<number> {
  const seed = Number(values.seed)
  print(`${values.count} hostile requests, seed ${seed}`)
  let faults = 0
  for (const campaign of campaignsOf(Number(values.count), seed)) {
    if (values.only !== undefined && values.only !== campaign.name) continue
    const onProgress = (line: string) => print(`${new Date().toISOString().slice(11, 19)} ${line}`)
    const mix = values.generator === undefined ? campaign.mix : { [values.generator]: 1 }
    const report = await runCampaign({ ...campaign, mix, onProgress })
    print(describeReport(report))
    faults += faultsOfReport(report).length
    saveRequests(report)
    if (values.save) saveReport(report)
  }
  return faults === 0 ? 0 : 1
}

/** Saves the requests that failed, so that they can be sent again. */
function saveRequests({ name, seed, findings }: CampaignReport): void {
  const folder = join(packageRoot, 'build/fuzz')
  mkdirSync(folder, { recursive: true })
  for (const { request, text } of findings) {
    if (request === undefined) continue
    const file = join(folder, `${name}-${seed}-${request.index}.http`)
    writeFileSync(file, request.bytes)
    print(`${text}\n  npm run fuzz -- --only ${name} --replay ${file}`)
  }
}

/** Writes the figures to docs/reliability.json and docs/reliability.md. */
function saveReport(report: CampaignReport): void {
  const sentence = findingOfReport(report)
  saveFindings(
    'test/fuzz/run.ts',
    ['F12', 'G6'].map((id) => ({ id, sentence })),
  )
}

/** Sends a saved request to a new service, and prints the response and its time. */
async function replay(file: string): Promise<number> {
  const [campaign] = campaignsOf(10, 0).filter(({ name }) => name === (values.only ?? 'engine'))
  const service = await startProcess(campaign?.environment)
  try {
    const saved = readFileSync(file).toString('latin1')
    const bytes = Buffer.from(
      saved.replace(/Bearer sk-pipit-\S+/, `Bearer ${service.key}`),
      'latin1',
    )
    const startMs = Date.now()
    const reply = await send(service.url, bytes, 120_000)
    print(`${JSON.stringify(reply).slice(0, 2000)}\n${Date.now() - startMs} ms`)
    return 0
  } finally {
    await service.dispose()
  }
}
