import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../../../src/paths.ts'
import type { Sabotage } from '../sabotage.ts'

const folder = join(import.meta.dirname, '..')

/** Returns all sabotages that the files of the folder export in arrays, sorted by id. Leaves out the runner. */
export async function readSabotages(): Promise<Sabotage[]> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && !/^(sabotage\.ts|runner)/.test(name),
  )
  const modules = await Promise.all(
    names.map(async (name) => (await import(join(folder, name))) as Record<string, unknown>),
  )
  const sabotages = modules.flatMap((module) =>
    Object.values(module).filter((value) => Array.isArray(value)),
  )
  return (sabotages.flat() as Sabotage[]).toSorted(
    (a, b) => a.id[0]!.localeCompare(b.id[0]!) || Number(a.id.slice(1)) - Number(b.id.slice(1)),
  )
}

/** Returns why a sabotage does not fit the sources below `root`, one sentence each. */
export function faultsOf(sabotage: Sabotage, root = packageRoot): string[] {
  const { id, file, find, replace, test } = sabotage
  const faults: string[] = []
  const path = join(root, file)
  if (!existsSync(path)) return [`${id}: ${file} does not exist.`]
  const times = readFileSync(path, 'utf8').split(find).length - 1
  if (times !== 1)
    faults.push(`${id}: ${JSON.stringify(find)} occurs ${times} times in ${file}, expected once.`)
  if (find === replace) faults.push(`${id}: the replacement in ${file} changes nothing.`)
  const testPath = join(root, test.file)
  if (!existsSync(testPath)) return [...faults, `${id}: ${test.file} does not exist.`]
  if (!unescaped(readFileSync(testPath, 'utf8')).includes(test.title))
    faults.push(`${id}: ${test.file} has no test titled ${JSON.stringify(test.title)}.`)
  return faults
}

/** Removes the backslashes before apostrophes, which titles in single quotes need. */
function unescaped(text: string): string {
  return text.replaceAll(String.raw`\'`, "'")
}
