import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { readCpp } from './read-cpp.ts'
import { readPython } from './read-python.ts'
import { readTypeScript } from './read-typescript.ts'
import type { Content, Source } from './source.ts'

/** Reads every source file below `root` that git does not ignore. */
export function readSources(root: string): Source[] {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const paths = list.split('\n').filter((path) => isSource(path) && existsSync(join(root, path)))
  return paths.map((path) => readSource(path, readFileSync(join(root, path), 'utf8')))
}

/** Reads one file; the extension of `path` says in which language. */
export function readSource(path: string, text: string): Source {
  const reader = readers[extname(path)]
  if (reader === undefined) throw new Error(`${path}: no reader for this language`)
  return { path, lineCount: text.trimEnd().split('\n').length, ...reader(path, text) }
}

function isSource(path: string): boolean {
  return readers[extname(path)] !== undefined && !/\.d\.m?ts$/.test(path)
}

const readers: Record<string, (path: string, text: string) => Content> = {
  '.ts': readTypeScript,
  '.tsx': readTypeScript,
  '.mjs': readTypeScript,
  '.js': readTypeScript,
  '.cc': readCpp,
  '.h': readCpp,
  '.py': readPython,
}
