import type { Finding } from './rules.ts'
import type { Import, Source } from './source.ts'

/** Reports one circle for each group of files that import each other, type imports included. */
export function importCircles(sources: readonly Source[]): Finding[] {
  const files = new Map(sources.map((source) => [source.path, source]))
  const findings: Finding[] = []
  const state = new Map<string, 'open' | 'done'>()
  const way: { path: string; line: number }[] = []
  const visit = (source: Source) => {
    state.set(source.path, 'open')
    for (const { line, paths } of source.imports) {
      way.push({ path: source.path, line })
      for (const path of paths) {
        const next = files.get(path)
        if (next === undefined || path === source.path) continue
        if (state.get(path) === undefined) visit(next)
        else if (state.get(path) === 'open') findings.push(circleOf(way, path))
      }
      way.pop()
    }
    state.set(source.path, 'done')
  }
  for (const source of sources) if (!state.has(source.path)) visit(source)
  return findings
}

function circleOf(way: readonly { path: string; line: number }[], path: string): Finding {
  const circle = way.slice(way.findIndex((step) => step.path === path))
  const names = [...circle.map((step) => step.path), path].join(' → ')
  const text = `The imports form a circle: ${names}. Move what both need into a file below them.`
  return { rule: 'import-circle', path, line: circle[0]?.line ?? 1, text }
}

/** The runner of these files lists their folder, so no import names them. */
const listedFolder = /^test\/faults\/sabotage\/(cluster\/)?[^/]+\.ts$/

/** Reports exports that no other file imports. An import by a test counts. */
export function unusedExports(sources: readonly Source[]): Finding[] {
  const imports = new Map<string, Import[]>()
  for (const source of sources) {
    for (const from of source.imports) {
      for (const path of from.paths) imports.set(path, [...(imports.get(path) ?? []), from])
    }
  }
  return sources.flatMap(({ path, exports }) => {
    if (listedFolder.test(path)) return []
    const used = imports.get(path) ?? []
    return exports
      .filter(({ name }) => !used.some(({ names }) => names === 'all' || names.includes(name)))
      .map(({ name, line }) => ({
        rule: 'unused-export',
        path,
        line,
        text: `No other file imports ${name}. Remove the word export, or the code.`,
      }))
  })
}
