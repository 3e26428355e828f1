import { Command } from 'commander'
import type { Config } from '../../config.ts'
import { StartError } from '../../errors.ts'
import { withUsedModel } from '../../models/used-model.ts'
import { commandLine } from '../../paths.ts'
import { isServed } from '../../storage/service-file.ts'
import { reportRenamedSettings } from '../client-variables.ts'
import { checkData } from './check-data.ts'
import { checkPostgres } from './check-postgres.ts'
import { checkEngine } from './check-engine.ts'
import { checkMachine, checkMemory } from './check-machine.ts'
import { checkPorts } from './check-ports.ts'
import { checkSettings } from './check-settings.ts'
import { fault, type Finding } from './finding.ts'

type Options = { json?: true; full?: true }

/** The `doctor` command, which looks for anything that can keep the service from working on this machine. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('check this machine, the data and the model, and say how to mend what is wrong')
    .summary('find what is wrong and how to mend it')
    .option(
      '--full',
      'check every index of the database and the whole ledger too, which takes longer',
    )
    .option('--json', 'print a JSON array')
    .addHelpText(
      'after',
      `
Run it with the same PIPIT_… settings as the service, which may be running:
  ${commandLine} doctor
  PIPIT_MODEL=/models/other.gguf ${commandLine} doctor

Exit code: 0 if nothing is wrong, 1 if something is. Notes are not faults.`,
    )
    .action(doctor)
}

async function doctor({ json, full }: Options): Promise<void> {
  const findings: Finding[] = []
  const isColoured = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
  const add = (found: readonly Finding[]) => {
    findings.push(...found)
    if (json === undefined) for (const one of found) console.log(toLine(one, isColoured))
  }
  add(checkMachine())
  reportRenamedSettings(process.env)
  const { config, finding } = await checkSettings(process.env)
  add([finding])
  if (config !== undefined) {
    const { dataDir, databaseUrl } = config
    const chosen = chooseModel(config, add)
    if (chosen !== undefined)
      add([await checkMemory(chosen.engine, { isServed: isServed(dataDir) })])
    add(checkData(dataDir, { full: full ?? false, hasDatabase: databaseUrl === undefined }))
    if (databaseUrl !== undefined) add(await checkPostgres(databaseUrl, { full: full ?? false }))
    add(await checkPorts(config))
    if (chosen !== undefined) add(await checkEngine(chosen))
  }
  const faults = findings.filter(({ state }) => state === 'fault').length
  if (json !== undefined) console.log(JSON.stringify(findings, null, 2))
  else if (faults === 0) console.log('\nNothing is wrong.')
  else console.log(`\n${faults === 1 ? 'One fault.' : `${faults} faults.`}`)
  if (faults > 0) process.exitCode = 1
}

/** Returns the settings with the model that `models use` chose, or undefined if that model cannot be used. */
function chooseModel(
  config: Config,
  add: (findings: readonly Finding[]) => void,
): Config | undefined {
  try {
    return withUsedModel(config, process.env)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const remedy = 'Follow the sentence above, then run this command again.'
    add([fault('model', error.message, remedy)])
    return undefined
  }
}

function toLine(finding: Finding, isColoured: boolean): string {
  const colour = { ok: '32', note: '33', fault: '31' }[finding.state]
  const state = finding.state === 'fault' ? 'FAULT' : finding.state
  const mark = isColoured ? `\u001B[${colour}m${state.padEnd(5)}\u001B[0m` : state.padEnd(5)
  const line = `${mark}  ${finding.name.padEnd(10)}  ${finding.text}`
  return finding.state === 'fault' ? `${line}\n${' '.repeat(19)}→ ${finding.remedy}` : line
}
