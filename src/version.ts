import { readFileSync } from 'node:fs'

/** The package's version: package.json stands one folder above both src/ and dist/. */
export const version: string = readVersion()

function readVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  const { version: text } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return text
}
