import { join } from 'node:path'
import { packageRoot } from '../../src/paths.ts'
import { threatGroups } from '../../tools/security/security-page.ts'
import type { SabotageResult } from '../faults/sabotage/runner/try-sabotage.ts'
import { faults } from './catalogue/faults.ts'
import { goals } from './catalogue/goals.ts'
import type { Item } from './catalogue/item.ts'
import type { Records, TestRecord } from './records.ts'

export const reliabilityPage = join(packageRoot, 'docs/reliability.md')

const threats = threatGroups.flatMap((group) => group.threats)

/** All ids that docs/reliability.md has a row for. */
export const knownIds: ReadonlySet<string> = new Set(
  [...goals, ...faults, ...threats].map(({ id }) => id),
)

/** Returns the text of docs/reliability.md. */
export function renderReliability(records: Records): string {
  return [
    ...introduction,
    '## Goals',
    ...table('Goal', goals, records),
    '## Faults',
    ...table('Fault', faults, records),
    '## Threats',
    'Mitigations, and what remains open, are in [security.md](security.md).',
    '',
    ...table(
      'Threat',
      threats.map(({ id, threat, mitigation }) => ({
        id,
        name: threat,
        injection: '',
        ...(mitigation === '' && { notApplicable: 'accepted, without a mitigation' }),
      })),
      records,
    ),
  ].join('\n')
}

const introduction = [
  '# Reliability',
  'The results of the tests for each goal, fault and threat. `npm run reliability` writes this page from',
  '[reliability.json](reliability.json); nothing here is typed by hand. `npm run reliability -- --only F06,F27` runs',
  'and replaces only these rows.',
  '',
  '*Sabotage* is a change that breaks the code on purpose. The column shows the first line of the error with which the',
  'test then fails; a sabotage that no test notices is marked **not noticed**. A row without results is marked',
  '**not tested**, or **no run recorded** if it has a sabotage and so a test.',
  '',
]

function table(name: string, items: readonly Item[], records: Records): string[] {
  const rows = items.map((item) => `| ${cellsOf(item, records).map(escapeCell).join(' | ')} |`)
  return [`| | ${name} | How | Seen | Sabotage | Date |`, '|---|---|---|---|---|---|', ...rows, '']
}

function cellsOf(item: Item, records: Records): string[] {
  const { id, name, injection, notApplicable } = item
  const tests = records.tests.filter(({ ids }) => ids.includes(id))
  const findings = records.findings.filter((finding) => finding.id === id)
  const sabotages = records.sabotages.filter((sabotage) => sabotage.id === id)
  const sentences = findings.map(({ sentence }) => sentence)
  const judged = sentences.map((sentence) => `${sentence}${verdictOn(sentence, item)}`)
  const hasResults = tests.length + findings.length > 0
  const missing = notApplicable ?? (sabotages.length > 0 ? '**no run recorded**' : '**not tested**')
  const seen = hasResults ? [...countOf(tests), ...judged, ...totalOf(item, sentences)] : [missing]
  const dates = [...tests, ...findings, ...sabotages].map(({ date }) => date).toSorted()
  return [
    id,
    name,
    // A test that ran on both databases has two results and one link.
    [injection, ...new Set(tests.map(linkTo))].filter(Boolean).join('<br>'),
    seen.join('<br>'),
    sabotages.map(sabotageText).join('<br>'),
    dates[0] === dates.at(-1) ? (dates[0] ?? '') : `${dates[0]} to ${dates.at(-1)}`,
  ]
}

/** Adds up the figures of all findings, and compares the sum with the goal. */
function totalOf({ total }: Item, sentences: readonly string[]): string[] {
  if (total === undefined) return []
  const { goal, unit, part } = total
  const sum = sumOf(total.figure, sentences)
  const text =
    `In all ${sum.toLocaleString('en')} of ${goal.toLocaleString('en')} ${unit}, ` +
    `of which ${sumOf(part.figure, sentences).toLocaleString('en')} ${part.name}`
  return [sum < goal ? `${text}: **the goal is not reached**.` : `${text}.`]
}

function sumOf(figure: RegExp, sentences: readonly string[]): number {
  const figures = sentences.flatMap((sentence) => figure.exec(sentence)?.[1] ?? [])
  return figures.reduce((all, text) => all + Number(text.replaceAll(',', '')), 0)
}

function verdictOn(sentence: string, { bounds = [] }: Item): string {
  const isMissed = bounds.some(({ figure, least = -Infinity, most = Infinity }) => {
    const text = figure.exec(sentence)?.[1]
    return text !== undefined && (Number(text) < least || Number(text) > most)
  })
  return isMissed ? ' **The goal is not reached.**' : ''
}

function linkTo({ file, title }: TestRecord): string {
  return `[${title.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`)}](../${file})`
}

function countOf(tests: readonly TestRecord[]): string[] {
  const count = (status: TestRecord['status']) => {
    const number = tests.filter((test) => test.status === status).length
    return number === 0 ? [] : [`${number} ${number === 1 ? 'test' : 'tests'} ${status}`]
  }
  const failed = count('failed').map((text) => `**${text}**`)
  return [...count('passed'), ...failed, ...count('skipped')]
}

function sabotageText({ breaks, outcome, message }: SabotageResult): string {
  const code = message === '' ? '' : `: \`${message.replaceAll('`', "'").slice(0, 160)}\``
  switch (outcome) {
    case 'red':
      return `${breaks.replace(/\.$/, '')}${code}`
    case 'green':
      return `${breaks} **not noticed**`
    case 'not run':
    case 'not built':
      return `${breaks} **${outcome}**${code}`
  }
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ')
}
