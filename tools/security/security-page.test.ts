import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/paths.ts'
import { proofsOf, readProofs } from './read-proofs.ts'
import {
  readSecurityPage,
  renderSecurityPage,
  securityFaults,
  threatGroups,
} from './security-page.ts'
import type { Threat } from './threat.ts'

const proofs = readProofs(packageRoot)

test('every mitigation has a test, and every test names a known threat', () => {
  expect(securityFaults(threatGroups, proofs)).toEqual([])
})

test('docs/security.md equals what `npm run reference` writes', () => {
  const page = readSecurityPage()
  expect(page).toBe(renderSecurityPage(page, threatGroups, proofs))
})

describe('numbers of threats are read', () => {
  const file = (...lines: string[]) => proofsOf('a.test.ts', lines.join('\n'))

  test('from tests, tables of tests and descriptions', () => {
    expect(
      file(
        "test('a (T1)', () => {})",
        "test.each([1])('b %s (T2, T47)', () => {})",
        "describe.skipIf(x)(`c ${d} (T3)`, () => { test('e', f); test('g (T4)', f) })",
      ).map(({ title, ids }) => [title, ids]),
    ).toEqual([
      ['a', ['T1']],
      ['b %s', ['T2', 'T47']],
      ['c …', ['T3']],
      ['c …: g', ['T4']],
    ])
  })

  test('but not from other calls, other brackets and the middle of a title', () => {
    expect(
      file(
        "check('a (T1)')",
        "test('b (§4.2)', () => {})",
        "test('c (T1) d', () => {})",
        "test('e', () => log('f (T1)'))",
      ),
    ).toEqual([])
  })
})

describe('a fault is reported', () => {
  const threat: Threat = { id: 'T1', threat: 'a', precedents: [], mitigation: 'b', open: '' }
  const faults = (threats: Threat[], ids: string[]) =>
    securityFaults([{ title: '', threats }], [{ path: 'x.test.ts', title: 'c', ids }])

  test.each<[string, Threat[], string[]]>([
    ['a mitigation without a test', [threat], []],
    ['an unknown number', [threat], ['T1', 'T99']],
    ['a number that is listed twice', [threat, threat], ['T1']],
    ['neither mitigated nor open', [{ ...threat, mitigation: '' }], []],
  ])('%s', (_name, threats, ids) => {
    expect(faults(threats, ids)).toHaveLength(1)
  })

  test('but no fault where there is none', () => {
    expect(faults([threat], ['T1', 'F03', 'I2'])).toEqual([])
  })
})
