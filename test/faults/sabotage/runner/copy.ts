import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../../../src/paths.ts'
import type { Sabotage } from '../sabotage.ts'
import { faultsOf } from './read-sabotages.ts'

/** Build products that a start or a build reads. The others are packages, pictures and files for other platforms. */
const builtNames = /^(pipit-.*|.*\.stamp|objects|llama-headers-.*)$/

/** A copy of the checkout in a temporary folder, in which the code can be broken. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'pipit-sabotage-'))
  readonly #root: string

  constructor(root: string = packageRoot) {
    this.#root = root
    try {
      this.#fill()
    } catch (error) {
      this.remove()
      throw error
    }
  }

  /**
   * Breaks the code, and returns a function that repairs it.
   * @throws Error if the sabotage does not fit the sources
   */
  apply(sabotage: Sabotage): () => void {
    const faults = faultsOf(sabotage, this.folder)
    if (faults.length > 0) throw new Error(faults.join(' '))
    const path = join(this.folder, sabotage.file)
    const text = readFileSync(path, 'utf8')
    // `replace` gets a function, because it treats `$&` in a replacement text as a pattern.
    writeFileSync(
      path,
      text.replace(sabotage.find, () => sabotage.replace),
    )
    return () => writeFileSync(path, text)
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }

  #fill(): void {
    const git = (args: string[], cwd: string) =>
      execFileSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    const list = git(['ls-files', '-co', '--exclude-standard', '-z'], this.#root)
    for (const file of new Set(list.split('\0')))
      if (file !== '' && existsSync(join(this.#root, file))) this.#copy(file)
    if (existsSync(join(this.#root, 'dist'))) this.#copy('dist')
    for (const name of this.#namesIn('build'))
      if (builtNames.test(name)) this.#copy(join('build', name))
    // One link for each package, because vite and Node write caches into node_modules itself.
    mkdirSync(join(this.folder, 'node_modules'))
    for (const name of this.#namesIn('node_modules'))
      if (!/^\.(cache|vite)/.test(name))
        symlinkSync(join(this.#root, 'node_modules', name), join(this.folder, 'node_modules', name))
    // Some tests ask git for the list of sources.
    git(['init', '--quiet'], this.folder)
    git(['add', '--all'], this.folder)
  }

  #copy(path: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true })
    cpSync(join(this.#root, path), join(this.folder, path), {
      recursive: true,
      preserveTimestamps: true,
    })
  }

  #namesIn(folder: string): string[] {
    const path = join(this.#root, folder)
    return existsSync(path) ? readdirSync(path) : []
  }
}
