import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const page = fileURLToPath(new URL('../../docs/models.md', import.meta.url))
const results = fileURLToPath(new URL('../../docs/models.json', import.meta.url))
const [begin, end] = ['<!-- begin of the families -->', '<!-- end of the families -->']

/** Facts about one family, measured with random weights. */
export type FamilyFacts = {
  readonly family: string
  readonly template: string
  readonly arch: string
  /** True if the template renders a conversation and a generation runs; otherwise the reason why not. */
  readonly renders: true | string
  /** The mark that begins reasoning, or `channels` for Harmony; undefined if the family does not reason. */
  readonly reasoning?: string | undefined
  /** The form of the family's own tool calls; undefined if it has none. */
  readonly tools?: string | undefined
  /** Facts about weights of the architecture, if a file was at hand. */
  readonly weights?: WeightsFacts | undefined
  /** Day of the run, as `2026-11-22`. */
  readonly ran: string
}

export type WeightsFacts = {
  /** True if the file loads and generates; otherwise the reason why not. */
  readonly loads: true | string
  readonly promptTokens?: number
  /** Tokens of the prompt that the third request with the same start found in the KV cache. */
  readonly cachedTokens?: number
  readonly kernels?: string | undefined
  readonly ownWeightsShare?: number | undefined
}

export function readFacts(): FamilyFacts[] {
  return JSON.parse(readFileSync(results, 'utf8')) as FamilyFacts[]
}

export function writeFacts(facts: readonly FamilyFacts[]): void {
  writeFileSync(results, `${JSON.stringify(facts, null, 2)}\n`)
}

/** Returns the lines of the table for these facts. */
export function familiesTable(facts: readonly FamilyFacts[]): string[] {
  return facts.map(({ family, arch, renders, reasoning, tools, weights, ran }) => {
    const cells = [
      family,
      loads(arch, weights),
      renders === true ? 'yes' : `no: ${renders}`,
      reasoning === undefined ? 'none' : `\`${reasoning}\``,
      tools === undefined ? 'as text' : `own form, \`${tools}\``,
      reuse(weights),
      speed(weights),
      ran,
    ]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
}

/** Returns the lines of the table in docs/models.md. */
export function documentedFamilies(): string[] {
  const text = readFileSync(page, 'utf8')
  const lines = text.slice(text.indexOf(begin), text.indexOf(end)).split('\n')
  return lines.filter((line) => line.startsWith('| ')).slice(1)
}

export function writeFamilies(): void {
  const text = readFileSync(page, 'utf8')
  const table = [
    begin,
    head,
    '|---|---|---|---|---|---|---|---|',
    ...familiesTable(readFacts()),
    '',
  ]
  const rest = text.slice(text.indexOf(end))
  writeFileSync(page, text.slice(0, text.indexOf(begin)) + table.join('\n') + rest)
}

const head =
  '| Family | Loads | Template | Reasoning | Tools | Prefix reuse | Speed path | Last run |'

function loads(arch: string, weights: WeightsFacts | undefined): string {
  if (weights === undefined) return `not run (\`${arch}\`)`
  return weights.loads === true ? `yes (\`${arch}\`)` : `no (\`${arch}\`): ${weights.loads}`
}

function reuse({ promptTokens = 0, cachedTokens }: Partial<WeightsFacts> = {}): string {
  if (cachedTokens === undefined) return 'not run'
  return cachedTokens === 0 ? 'no' : `yes, ${cachedTokens} of ${promptTokens} tokens`
}

function speed({ kernels, ownWeightsShare }: Partial<WeightsFacts> = {}): string {
  if (kernels === undefined || ownWeightsShare === undefined) return 'not run'
  if (ownWeightsShare === 0) return 'llama.cpp'
  return `own kernels for ${Math.floor(ownWeightsShare * 100)} % (${kernels})`
}
