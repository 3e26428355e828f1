// Adds a column with a label to a CSV file:
//
//   node examples/classify-csv.mjs examples/data/reviews.csv text positive,negative > labelled.csv
//
// The schema allows the model to answer only with one of the labels.
import { readFileSync } from 'node:fs'
import { complete } from './client.mjs'

const [file, column, list] = process.argv.slice(2)
if (list === undefined) {
  console.error('Usage: classify-csv.mjs FILE COLUMN LABEL,LABEL…')
  process.exit(2)
}
const labels = list.split(',')
// Excel begins a file with a byte order mark.
const [header, ...rows] = parseCsv(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
const index = header.indexOf(column)
if (index === -1) throw new Error(`${file} has no column ${column}, only ${header.join(', ')}.`)

const schema = { type: 'string', enum: labels }
const format = { type: 'json_schema', json_schema: { name: 'label', schema } }
console.log(toCsv([...header, 'label']))
for (const row of rows) {
  const question = `Which label fits this text: ${labels.join(' or ')}? "${row[index]}"`
  const reply = await complete('Answer with one label.', question, { response_format: format })
  console.log(toCsv([...row, JSON.parse(reply)]))
}

/**
 * Reads comma-separated values, whose fields may be in quotes and contain commas and line breaks.
 * @param {string} text
 * @returns {string[][]}
 */
function parseCsv(text) {
  /** @type {string[][]} */
  const rows = [[]]
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|((?!")[^,\r\n]*))(,|\r?\n|$)/g,
  )) {
    rows.at(-1).push(quoted?.replaceAll('""', '"') ?? plain)
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1 || (row[0] ?? '') !== '')
}

function toCsv(row) {
  const quote = (field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)
  return row.map(quote).join(',')
}
