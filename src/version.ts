import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './paths.ts'

/** The package's version. */
export const version: string = readVersion()

function readVersion(): string {
  const file = readFileSync(join(packageRoot, 'package.json'), 'utf8')
  const { version: text } = JSON.parse(file) as { version: string }
  return text
}
