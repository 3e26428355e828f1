import { exceptions, type Exception } from './exceptions.ts'
import { folderPairs } from './folder-pairs.ts'
import {
  fullFolders,
  longFiles,
  longFunctions,
  openingFragments,
  riddles,
  unnumberedTodos,
  type Finding,
} from './rules.ts'
import type { Source } from './source.ts'

/** Returns one line for each breach without an exception, and for each exception that is not needed. */
export function checkTidy(sources: readonly Source[]): string[] {
  const rules = [
    longFunctions,
    longFiles,
    fullFolders,
    folderPairs,
    openingFragments,
    riddles,
    unnumberedTodos,
  ]
  return withoutExceptions(
    rules.flatMap((rule) => rule(sources)),
    exceptions,
  )
}

export function withoutExceptions(
  findings: readonly Finding[],
  excepted: readonly Exception[],
): string[] {
  const isExcepted = (finding: Finding) =>
    excepted.some(({ rule, path }) => rule === finding.rule && path === finding.path)
  const unneeded = excepted.filter(
    ({ rule, path }) => !findings.some((finding) => finding.rule === rule && finding.path === path),
  )
  return [
    ...findings
      .filter((finding) => !isExcepted(finding))
      .map(({ path, line, rule, text }) => `${path}:${line} ${rule}: ${text}`),
    ...unneeded.map(
      ({ rule, path }) =>
        `tools/tidy/exceptions.ts: ${path} keeps the rule ${rule} now. Remove the exception.`,
    ),
  ]
}
