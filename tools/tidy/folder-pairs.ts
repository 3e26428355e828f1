import { dirname } from 'node:path'
import { type Finding, isTest } from './rules.ts'
import type { Source } from './source.ts'

type Import = { readonly from: string; readonly to: string }

/**
 * Finds folders that import each other. Two folders side by side are a pair once each imports a file of the other. A
 * folder and its subfolder are a pair if a chain of imports leaves the subfolder and comes back to it. So some files of
 * a folder may use its subfolder, and the subfolder may use other files of the folder. Tests do not count, nor do
 * imports between top-level folders, which hold several programs.
 */
export function folderPairs(sources: readonly Source[]): Finding[] {
  const imports = sources
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, imports: targets }) => targets.map((to) => ({ from: path, to })))
    .filter(({ from, to }) => rootFolderOf(from) === rootFolderOf(to))
  return [...new Map([...mutualImports(imports), ...returns(imports)]).values()]
}

/** Returns pairs of folders side by side that import each other, each pair by its names. */
function mutualImports(imports: readonly Import[]): [string, Finding][] {
  const byFolders = new Map<string, Import>()
  for (const one of imports) {
    const [from, to] = sidesOf(one)
    if (!isInside(one.from, to) && !isInside(one.to, from)) byFolders.set(`${from} ${to}`, one)
  }
  return [...byFolders].flatMap(([folders, there]): [string, Finding][] => {
    const back = byFolders.get(folders.split(' ').reverse().join(' '))
    return back === undefined ? [] : [toFinding(there, back)]
  })
}

/**
 * Returns the folders that a chain of imports leaves and comes back to, each with the folder from which the chain comes
 * back.
 */
function returns(imports: readonly Import[]): [string, Finding][] {
  const byFile = Map.groupBy(imports, ({ from }) => from)
  const folders = new Set(imports.flatMap(({ from }) => ancestorsOf(from)))
  return [...folders].flatMap((folder) => {
    const leaving = imports.filter(
      ({ from, to }) => isInside(from, folder) && !isInside(to, folder),
    )
    // Files outside `folder` that a chain of imports reaches, each with the import by which the chain left `folder`.
    const reached = new Map(leaving.map((one) => [one.to, one]))
    const found: [string, Finding][] = []
    for (const [file, exit] of reached)
      for (const one of byFile.get(file) ?? [])
        if (isInside(one.to, folder)) found.push(toFinding(exit, one))
        else if (!reached.has(one.to)) reached.set(one.to, exit)
    return found
  })
}

function toFinding(there: Import, back: Import): [string, Finding] {
  const pair = sidesOf(back).toSorted()
  const text = `${pair.join(' and ')} import each other: this file imports ${back.to}, and ${there.from} imports ${there.to}. Move what both need below both.`
  return [pair.join(' '), { rule: 'folder-pair', path: back.from, line: 1, text }]
}

/** Returns the two folders at which the paths of the files diverge. One may contain the other. */
function sidesOf({ from, to }: Import): [string, string] {
  const [a, b] = [dirname(from).split('/'), dirname(to).split('/')]
  const common = a.findIndex((name, index) => name !== b[index])
  const depth = 1 + (common === -1 ? a.length : common)
  return [a.slice(0, depth).join('/'), b.slice(0, depth).join('/')]
}

function ancestorsOf(path: string): string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...ancestorsOf(folder)]
}

function rootFolderOf(path: string): string | undefined {
  return path.split('/', 1)[0]
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`)
}
