import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../../src/paths.ts'
import { schemaVersion } from '../../../src/storage/postgres/schema.ts'

/**
 * Copies the service and adds one upgrade of the tables to the copy, as the next release might.
 * @returns the file that starts the copy, and a function that removes the copy
 */
export function makeNextVersion(sql: string): { program: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'pipit-next-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  try {
    for (const name of ['src', 'package.json', 'docs/openapi.json'])
      cpSync(join(packageRoot, name), join(folder, name), { recursive: true })
    for (const name of ['node_modules', 'dist', 'model'])
      symlinkSync(join(packageRoot, name), join(folder, name))
    const file = join(folder, 'src/storage/postgres/schema.ts')
    const text = readFileSync(file, 'utf8')
    const upgrade = `{ version: ${schemaVersion + 1}, name: 'next', sql: ${JSON.stringify(sql)} },\n]\n\n/** The schema`
    const patched = text.replace(']\n\n/** The schema', () => `  ${upgrade}`)
    if (patched === text) throw new Error(`${file} has no list of upgrades`)
    writeFileSync(file, patched)
    return { program: join(folder, 'src/cli/main.ts'), remove }
  } catch (error) {
    remove()
    throw error
  }
}
