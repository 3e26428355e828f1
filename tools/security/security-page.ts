import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/paths.ts'
import type { Proof } from './read-proofs.ts'
import type { Threat, ThreatGroup } from './threat.ts'
import { exposureThreats } from './threats/exposure.ts'
import { foundThreats } from './threats/found.ts'
import { inputThreats } from './threats/input.ts'
import { operationThreats } from './threats/operation.ts'
import { outputThreats } from './threats/output.ts'

export const securityPage = join(packageRoot, 'docs/security.md')

export const threatGroups: readonly ThreatGroup[] = [
  exposureThreats,
  inputThreats,
  outputThreats,
  operationThreats,
  foundThreats,
]

/** Numbers of faults (F), invariants (I) and goals (G), which titles may carry beside those of threats. */
const otherNumbers = /^[FGI]\d{1,2}$/

/** Returns mismatches between the threats and the titles of tests, one sentence each. */
export function securityFaults(groups: readonly ThreatGroup[], proofs: readonly Proof[]): string[] {
  const threats = groups.flatMap((group) => group.threats)
  const known = new Set(threats.map(({ id }) => id))
  const proven = new Set(proofs.flatMap(({ ids }) => ids))
  return [
    ...threats
      .filter(({ id }, index) => threats.findIndex((other) => other.id === id) !== index)
      .map(({ id }) => `${id} is listed twice in tools/security/threats.`),
    ...threats
      .filter(({ id, mitigation }) => mitigation !== '' && !proven.has(id))
      .map(({ id }) => `${id} claims a mitigation, but the title of no test ends with (${id}).`),
    ...threats
      .filter(({ mitigation, open }) => mitigation === '' && open === '')
      .map(({ id }) => `${id} has no mitigation. Say so under \`open\`.`),
    ...proofs.flatMap(({ path, title, ids }) =>
      ids
        .filter((id) => !known.has(id) && !otherNumbers.test(id))
        .map((id) => `${path}: "${title}" carries ${id}, which tools/security/threats lacks.`),
    ),
  ]
}

/** Returns docs/security.md: the introduction that the file has, then one table for each group. */
export function renderSecurityPage(
  page: string,
  groups: readonly ThreatGroup[],
  proofs: readonly Proof[],
): string {
  const at = page.indexOf(begin)
  if (at < 0) throw new Error(`docs/security.md needs the mark ${begin} before its tables`)
  const tables = groups.map(({ title, threats }) =>
    [
      `## ${title}`,
      '| | Threat | Precedents | Mitigation | Tests | Open |',
      '|---|---|---|---|---|---|',
      ...threats.map((threat) => row(threat, proofs)),
      '',
    ].join('\n'),
  )
  return `${page.slice(0, at)}${begin}\n${tables.join('\n')}`
}

export function readSecurityPage(): string {
  return readFileSync(securityPage, 'utf8')
}

const begin = '<!-- begin of the tables, which `npm run reference` writes -->'

function row(threat: Threat, proofs: readonly Proof[]): string {
  const tests = proofs
    .filter(({ ids }) => ids.includes(threat.id))
    .map(({ path, title }) => `[${escapeTitle(title)}](../${path})`)
  const cells = [
    threat.id,
    threat.threat,
    threat.precedents.map(linked).join(', '),
    threat.mitigation || (tests.length > 0 ? 'See the tests.' : 'none'),
    tests.join('<br>'),
    threat.open,
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function linked(precedent: string): string {
  if (/^CVE-\d+-\d+$/.test(precedent))
    return `[${precedent}](https://nvd.nist.gov/vuln/detail/${precedent})`
  if (/^GHSA(-\w{4}){3}$/.test(precedent))
    return `[${precedent}](https://github.com/advisories/${precedent})`
  return precedent
}

function escapeTitle(title: string): string {
  return title.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`)
}
