// Writes the parts of the documentation that come from the code:
// - docs/openapi.json
// - docs/api.md: the tables of parameters, of their support and of limits
// - docs/configuration.md: the table of settings
// - docs/models.md: the table of families
// - docs/security.md: the tables of threats
// - docs/pipit.1, the man page
// Run it with `npm run reference`. A test fails if they differ from the code.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../src/config.ts'
import { keyLimits } from '../src/key-limits.ts'
import { startService } from '../src/main.ts'
import { packageRoot } from '../src/paths.ts'
import { ChatCompletionRequest } from '../src/protocol/chat/chat-request.ts'
import { neutralParameters } from '../src/protocol/chat/parameters.ts'
import { refusedParameters } from '../src/protocol/chat/refused-parameters.ts'
import { silentLogger } from '../src/telemetry/logger.ts'
import { writeManPage } from './manual/man-page.ts'
import { parameterTable } from './manual/parameter-table.ts'
import { settingLines } from './manual/settings-rows.ts'
import { writeFamilies } from './models/models-page.ts'
import { readProofs } from './security/read-proofs.ts'
import {
  readSecurityPage,
  renderSecurityPage,
  securityFaults,
  securityPage,
  threatGroups,
} from './security/security-page.ts'

const openApiFile = fileURLToPath(new URL('../docs/openapi.json', import.meta.url))

/** Returns one line for each known parameter, from the tables that validate requests. */
export function supportMatrix(): string[] {
  const works = Object.keys(ChatCompletionRequest.properties).filter(
    (name) => !neutralParameters.includes(name),
  )
  return [
    ...works.map((name) => `| \`${name}\` | works | |`),
    ...neutralParameters.map((name) => `| \`${name}\` | neutral | |`),
    ...Object.entries(refusedParameters).map(
      ([name, { neutral, instead }]) => `| \`${name}\` | refused | ${unless(neutral)}${instead} |`,
    ),
  ]
}

function unless(neutral: readonly unknown[]): string {
  const values = neutral.map((value) => `\`${JSON.stringify(value)}\``)
  return values.length === 0 ? '' : `unless ${values.join(' or ')}. `
}

/** Returns one line for each limit of a key or an account. */
export function limitsTable(): string[] {
  return keyLimits.map(
    ({ wireName, description }) =>
      `| \`${wireName}\` | \`--${wireName.replaceAll('_', '-')}\` | ${description} |`,
  )
}

/** Returns the lines of a generated table. */
export function documentedTable(name: TableName): string[] {
  const page = readFileSync(pageOf(name), 'utf8')
  const [begin, end] = marksOf(name)
  const part = page.slice(page.indexOf(begin), page.indexOf(end))
  return part.split('\n').filter((line) => line.startsWith('| `'))
}

/** Each generated table, with the page in docs/ that has it. */
const tables = {
  parameters: 'api.md',
  'support matrix': 'api.md',
  limits: 'api.md',
  settings: 'configuration.md',
} as const
type TableName = keyof typeof tables

function pageOf(name: TableName): string {
  return fileURLToPath(new URL(`../docs/${tables[name]}`, import.meta.url))
}

function writeTable(name: TableName, lines: readonly string[]): void {
  const file = pageOf(name)
  const page = readFileSync(file, 'utf8')
  const [begin, end] = marksOf(name)
  if (!page.includes(begin) || !page.includes(end))
    throw new Error(`docs/${tables[name]} needs the marks ${begin} and ${end} around its ${name}`)
  const table = [begin, ...lines, ''].join('\n')
  writeFileSync(file, page.slice(0, page.indexOf(begin)) + table + page.slice(page.indexOf(end)))
}

function marksOf(name: string): [begin: string, end: string] {
  return [`<!-- begin of the ${name} -->`, `<!-- end of the ${name} -->`]
}

/** @throws Error if a mitigation has no test, or a test names an unknown threat */
function writeSecurityPage(): void {
  const proofs = readProofs(packageRoot)
  const faults = securityFaults(threatGroups, proofs)
  writeFileSync(securityPage, renderSecurityPage(readSecurityPage(), threatGroups, proofs))
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

async function writeOpenApi(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pipit-reference-'))
  try {
    const settings = { PIPIT_ENGINE: 'scripted', PIPIT_PORT: '0', PIPIT_METRICS_PORT: '0' }
    const config = loadConfig({ ...settings, PIPIT_DATA_DIR: dataDir })
    const service = await startService(config, silentLogger)
    try {
      const document: unknown = await (await fetch(`${service.url}/openapi.json`)).json()
      writeFileSync(openApiFile, `${JSON.stringify(document, null, 2)}\n`)
    } finally {
      await service.close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  writeTable('parameters', [
    '| Field | Type | Default | Bounds | |',
    '|---|---|---|---|---|',
    ...parameterTable(),
  ])
  writeTable('support matrix', ['| Parameter | Support | |', '|---|---|---|', ...supportMatrix()])
  writeTable('limits', ['| Field | Option | Limits |', '|---|---|---|', ...limitsTable()])
  writeTable('settings', ['| Variable | Default | Meaning |', '|---|---|---|', ...settingLines()])
  writeFamilies()
  writeManPage()
  writeSecurityPage()
  await writeOpenApi()
}
