// Writes the parts of the documentation that come from the code: docs/openapi.json, and in docs/api.md the support
// matrix and the table of limits. Run it with `npm run reference`. A test fails if they differ from the code.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../src/config.ts'
import { keyLimits } from '../src/key-limits.ts'
import { startService } from '../src/main.ts'
import { ChatCompletionRequest } from '../src/protocol/chat/chat-request.ts'
import { neutralParameters, refusedParameters } from '../src/protocol/chat/parameters.ts'
import { silentLogger } from '../src/telemetry/logger.ts'

const apiPage = fileURLToPath(new URL('../docs/api.md', import.meta.url))
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
      ([name, { neutral }]) =>
        `| \`${name}\` | refused |${neutral === '' ? '' : ` unless ${neutral}`} |`,
    ),
  ]
}

/** Returns one line for each limit of a key or an account. */
export function limitsTable(): string[] {
  return keyLimits.map(
    ({ wireName, description }) =>
      `| \`${wireName}\` | \`--${wireName.replaceAll('_', '-')}\` | ${description} |`,
  )
}

/** Returns the lines of a generated table in docs/api.md. */
export function documentedTable(name: 'support matrix' | 'limits'): string[] {
  const page = readFileSync(apiPage, 'utf8')
  const [begin, end] = marksOf(name)
  const part = page.slice(page.indexOf(begin), page.indexOf(end))
  return part.split('\n').filter((line) => line.startsWith('| `'))
}

function writeTable(name: 'support matrix' | 'limits', lines: readonly string[]): void {
  const page = readFileSync(apiPage, 'utf8')
  const [begin, end] = marksOf(name)
  if (!page.includes(begin) || !page.includes(end))
    throw new Error(`docs/api.md needs the marks ${begin} and ${end} around its ${name}`)
  const table = [begin, ...lines, ''].join('\n')
  writeFileSync(apiPage, page.slice(0, page.indexOf(begin)) + table + page.slice(page.indexOf(end)))
}

function marksOf(name: string): [begin: string, end: string] {
  return [`<!-- begin of the ${name} -->`, `<!-- end of the ${name} -->`]
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
  writeTable('support matrix', ['| Parameter | Support | |', '|---|---|---|', ...supportMatrix()])
  writeTable('limits', ['| Field | Option | Limits |', '|---|---|---|', ...limitsTable()])
  await writeOpenApi()
}
