import { Command, InvalidArgumentError } from 'commander'
import { StartError } from '../../errors.ts'
import { keyLimits, limitMax, limitMin, type LimitName, type Limits } from '../../key-limits.ts'
import { modelId } from '../../protocol/chat/model-id.ts'
import { withoutControls } from '../chat/markdown.ts'
import { completionRules } from '../check/completion-rules.ts'
import { checkLimits } from '../check/limits/check-limits.ts'
import { reportText } from '../check/limits/report.ts'
import { parameterRules } from '../check/parameter-rules.ts'
import { reasoningRules } from '../check/reasoning-rules.ts'
import { requestRules } from '../check/request-rules.ts'
import { routeRules } from '../check/route-rules.ts'
import { NotApplicable, type Rule } from '../check/rule.ts'
import { streamRules } from '../check/stream-rules.ts'
import { Target } from '../check/target.ts'
import { toolRules } from '../check/tool-rules.ts'
import { examples } from '../examples.ts'
import { readApiKey } from '../client-variables.ts'
import { baseUrl, findService } from '../service-address.ts'

type Finding = Omit<Rule, 'check'> & { verdict: 'ok' | 'FAIL' | 'n/a'; saw?: string }
type Options = { key?: string; model: string; json?: true; timeout: number } & LimitsOptions
type LimitsOptions = { limits?: Limits; seconds: number; adminKey?: string; yes?: true }

const rules = [
  ...completionRules,
  ...streamRules,
  ...requestRules,
  ...parameterRules,
  ...toolRules,
  ...reasoningRules,
  ...routeRules,
]
const exitCodes = { conforms: 0, differs: 1, notChecked: 2 }

/**
 * The `check` command, which tests any OpenAI-style chat service against the interface, or tests the limits of a key.
 */
export function checkCommand(environment: Readonly<Record<string, string | undefined>>): Command {
  return new Command('check')
    .description('check a running chat service against the interface, or its limits')
    .summary('check a service, or the limits of a key')
    .argument('[url...]', 'base URL (default: as for chat); with --limits one for each replica')
    .option('--key <key>', 'API key (default: PIPIT_API_KEY)')
    .option('--model <model>', 'model to request', modelId)
    .option('--timeout <seconds>', 'time limit for one reply', parseSeconds, 60)
    .option('--json', 'print one JSON object instead of lines')
    .option('--limits <list>', 'attack these limits of the key instead', parseLimits)
    .option('--seconds <number>', 'time limit for the attack', parseSeconds, 240)
    .option('--admin-key <key>', 'admin key of LiteLLM, to read its records')
    .option('--yes', 'the attack may spend more than 100,000 tokens')
    .addHelpText(
      'after',
      `${examples(
        'check http://127.0.0.1:8080',
        'check --limits tokens-per-day=5000 URL',
      )}\nExit code: 0 if all holds, 1 if not or an option is wrong, 2 if not checked.`,
    )
    .action(async (given: string[], options: Options) => {
      try {
        const key = readApiKey(options.key, environment)
        const urls = given.length > 0 ? given : [findService(undefined, environment).url]
        const { limits } = options
        const code =
          limits === undefined
            ? await check(onlyUrl(urls), options, key)
            : await attack(urls, { ...options, limits }, key)
        // It may be set already, because the report cannot be written.
        process.exitCode ??= code
      } catch (error) {
        if (!(error instanceof StartError)) throw error
        process.stderr.write(`pipit: ${withoutControls(error.message)}\n`)
        process.exitCode = exitCodes.notChecked
      }
    })
}

/** Returns the exit code. @throws StartError if the service cannot be checked */
async function check(url: string, options: Options, key: string | undefined): Promise<number> {
  const base = baseUrl(url)
  if (key === undefined) throw noKey()
  const target = new Target({ base, key, model: options.model, timeoutMs: options.timeout * 1000 })
  await target.checkReachable()
  const findings: Finding[] = []
  for (const rule of rules) {
    const finding = await judge(rule, target)
    findings.push(finding)
    if (options.json === undefined) console.log(withoutControls(toLine(finding)))
  }
  const count = (verdict: Finding['verdict']) =>
    findings.filter((one) => one.verdict === verdict).length
  const counts = { ok: count('ok'), failed: count('FAIL'), notApplicable: count('n/a') }
  if (options.json !== undefined)
    console.log(JSON.stringify({ url, model: options.model, ...counts, rules: findings }, null, 2))
  else console.log(`\n${counts.ok} ok, ${counts.failed} FAIL, ${counts.notApplicable} n/a`)
  return counts.failed === 0 ? exitCodes.conforms : exitCodes.differs
}

/** @throws StartError if there are several URLs */
function onlyUrl([url = '', ...others]: readonly string[]): string {
  if (others.length > 0) throw new StartError('Give one URL. Several are for --limits.')
  return url
}

/** Returns the exit code. @throws StartError if the limits cannot be checked */
async function attack(
  urls: readonly string[],
  options: Options & { limits: Limits },
  key: string | undefined,
): Promise<number> {
  if (key === undefined) throw noKey()
  const report = await checkLimits({
    ...options,
    urls: urls.map(baseUrl),
    key,
    timeoutMs: options.timeout * 1000,
    attackMs: options.seconds * 1000,
    isAgreed: options.yes === true,
    progress: (line) => process.stderr.write(`${line}\n`),
  })
  console.log(
    options.json === undefined
      ? withoutControls(reportText(report))
      : JSON.stringify(report, null, 2),
  )
  return report.passed ? exitCodes.conforms : exitCodes.differs
}

function noKey(): StartError {
  return new StartError('No API key. Give one with --key or set PIPIT_API_KEY.')
}

async function judge({ check: ask, ...rule }: Rule, target: Target): Promise<Finding> {
  try {
    await ask(target)
    return { ...rule, verdict: 'ok' }
  } catch (error) {
    if (error instanceof StartError) throw error
    if (error instanceof NotApplicable) return { ...rule, verdict: 'n/a', saw: error.message }
    // Other errors, such as a broken connection or a timeout, count as failures of the service.
    const message = error instanceof Error ? error.message : ''
    return { ...rule, verdict: 'FAIL', saw: message || String(error) }
  }
}

function toLine({ verdict, of, id, says, saw }: Finding): string {
  const seen = saw === undefined ? '' : verdict === 'n/a' ? ` (${saw})` : `\n      saw: ${saw}`
  return `${verdict.padEnd(4)}  ${of.padEnd(8)}  ${id.padEnd(24)} ${says}${seen}`
}

/** Reads limits as `pipit keys list` prints them: `requests-per-minute=60,tokens-per-day=5000`. */
function parseLimits(text: string): Limits {
  const limits: Partial<Record<LimitName, number>> = {}
  for (const part of text.split(',')) {
    const [name, value = ''] = part.trim().split('=')
    const kind = keyLimits.find(({ wireName }) => wireName.replaceAll('_', '-') === name)
    const limit = Number(value)
    if (kind === undefined || !/^\d+$/.test(value) || limit < limitMin || limit > limitMax)
      throw new InvalidArgumentError(
        `Enter limits such as ${keyLimits.map(({ wireName }) => `${wireName.replaceAll('_', '-')}=100`).join(',')}.`,
      )
    limits[kind.name] = limit
  }
  return limits
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (!(seconds >= 1 && seconds <= 600))
    throw new InvalidArgumentError('Enter a number from 1 to 600.')
  return seconds
}
