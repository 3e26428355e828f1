import { Command, InvalidArgumentError } from 'commander'
import { StartError } from '../../errors.ts'
import { completionRules } from '../check/completion-rules.ts'
import { parameterRules } from '../check/parameter-rules.ts'
import { requestRules } from '../check/request-rules.ts'
import { routeRules } from '../check/route-rules.ts'
import { NotApplicable, type Rule } from '../check/rule.ts'
import { streamRules } from '../check/stream-rules.ts'
import { Target } from '../check/target.ts'

type Finding = Omit<Rule, 'check'> & { verdict: 'ok' | 'FAIL' | 'n/a'; saw?: string }
type Options = { key?: string; model: string; json?: true; timeout: number }

const rules = [
  ...completionRules,
  ...streamRules,
  ...requestRules,
  ...parameterRules,
  ...routeRules,
]
const exitCodes = { conforms: 0, differs: 1, notChecked: 2 }

/** The `check` command, which tests the conformance of any OpenAI-style chat service. */
export function checkCommand(environment: Readonly<Record<string, string | undefined>>): Command {
  return new Command('check')
    .description(
      'check whether a running chat service conforms to the interface, one line per rule',
    )
    .argument('<url>', 'base URL of the service, such as http://127.0.0.1:8080')
    .option('--key <key>', 'API key for the service (default: the variable PIPIT_KEY)')
    .option('--model <model>', 'model to request', 'svc-o1-mini')
    .option('--timeout <seconds>', 'time limit for one reply', parseSeconds, 60)
    .option('--json', 'print one JSON object instead of lines')
    .addHelpText(
      'after',
      '\nExit code: 0 if all rules hold, 1 if some do not, 2 if the service could not be checked.',
    )
    .action(async (url: string, options: Options) => {
      try {
        process.exitCode = await check(url, options, environment['PIPIT_KEY'])
      } catch (error) {
        if (!(error instanceof StartError)) throw error
        process.stderr.write(`pipit: ${error.message}\n`)
        process.exitCode = exitCodes.notChecked
      }
    })
}

/** Returns the exit code. @throws StartError the service cannot be checked */
async function check(
  url: string,
  options: Options,
  keyOfEnvironment: string | undefined,
): Promise<number> {
  const key = options.key ?? keyOfEnvironment
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new StartError(
      `${url} is not the base URL of a service. Give one such as http://127.0.0.1:8080.`,
    )
  if (key === undefined) throw new StartError('No API key. Give one with --key or set PIPIT_KEY.')
  const target = new Target({ url, key, model: options.model, timeoutMs: options.timeout * 1000 })
  await target.checkReachable()
  const findings: Finding[] = []
  for (const rule of rules) {
    const finding = await judge(rule, target)
    findings.push(finding)
    if (options.json === undefined) console.log(toLine(finding))
  }
  const count = (verdict: Finding['verdict']) =>
    findings.filter((one) => one.verdict === verdict).length
  const counts = { ok: count('ok'), failed: count('FAIL'), notApplicable: count('n/a') }
  if (options.json !== undefined)
    console.log(JSON.stringify({ url, model: options.model, ...counts, rules: findings }, null, 2))
  else console.log(`\n${counts.ok} ok, ${counts.failed} FAIL, ${counts.notApplicable} n/a`)
  return counts.failed === 0 ? exitCodes.conforms : exitCodes.differs
}

async function judge({ check: ask, ...rule }: Rule, target: Target): Promise<Finding> {
  try {
    await ask(target)
    return { ...rule, verdict: 'ok' }
  } catch (error) {
    if (error instanceof NotApplicable) return { ...rule, verdict: 'n/a', saw: error.message }
    // Other errors, such as a broken connection or a time-out, are failures of the service too.
    const message = error instanceof Error ? error.message : ''
    return { ...rule, verdict: 'FAIL', saw: message || String(error) }
  }
}

function toLine({ verdict, id, says, saw }: Finding): string {
  const seen = saw === undefined ? '' : verdict === 'n/a' ? ` (${saw})` : `\n      saw: ${saw}`
  return `${verdict.padEnd(4)}  ${id.padEnd(24)} ${says}${seen}`
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (!(seconds >= 1 && seconds <= 600))
    throw new InvalidArgumentError('Enter a number from 1 to 600.')
  return seconds
}
