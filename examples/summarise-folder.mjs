// Prints a summary of one line for each text file of a folder:
//
//   node examples/summarise-folder.mjs examples/data/notes
import { readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { complete } from './client.mjs'

const folder = process.argv[2]
if (folder === undefined) {
  console.error('Usage: summarise-folder.mjs FOLDER')
  process.exit(2)
}
const names = readdirSync(folder, { recursive: true })
  .filter((name) => ['.txt', '.md'].includes(extname(name)))
  .toSorted((a, b) => (a < b ? -1 : 1))
for (const name of names) {
  // The service refuses a prompt that does not fit. In English, a token has about 4 characters.
  const text = readFileSync(join(folder, name), 'utf8').slice(0, 4000)
  const summary = await complete('You summarise texts.', `Summarise in one sentence: ${text}`, {
    max_tokens: 80,
  })
  console.log(`${name}: ${summary.replaceAll(/\s+/g, ' ')}`)
}
