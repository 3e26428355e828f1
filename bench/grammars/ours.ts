// Measures our grammar compiler on JSONSchemaBench, for comparison with others.py (docs/decisions/0006).
// Usage: node bench/grammars/ours.ts CORPUS VOCABULARY, after `npm test`. CORPUS: `data` of guidance-ai/jsonschemabench.
// VOCABULARY: a JSON file that others.py writes.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileSchema } from '../../src/engine/grammar/compile-schema.ts'
import { SchemaRefused } from '../../src/engine/grammar/grammar.ts'
import { parseInOrder } from '../../src/json-order.ts'
import { schemaBytesMax } from '../../src/limits.ts'
import { cpuMsOf } from '../../test/support/schemas/compile-work.ts'
import { testAddon } from '../../test/native/test-addon.ts'

const oneIn = 10
const calls = 10
const sampling = { temperature: 1, topP: 1, topK: 0, minP: 0, seed: 1 }

const [corpus = '', vocabulary = ''] = process.argv.slice(2)
const hexes = JSON.parse(readFileSync(vocabulary, 'utf8')) as string[]
const tokens = hexes.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')))
const logits = new Float32Array(tokens.length)
// A call for no tokens only builds the tree of the vocabulary, which the service builds once.
const trivial = compileSchema({ const: 1 }).toNumbers()
const treeMs = median(Array.from({ length: 51 }, () => sampleMs(trivial, 0)))

const paths = readdirSync(corpus, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .toSorted()
  .filter((_, index) => index % oneIn === 0)
const times = paths.map((path) => timeOf(join(corpus, path))).filter((ms) => ms !== undefined)
const sorted = times.toSorted((a, b) => a - b)
console.log(`${times.length} of ${paths.length} schemas compile`)
for (const share of [0.5, 0.9, 0.99, 1])
  console.log(`${share}: ${(sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(1)} ms`)

/** Returns the time to the first token of a schema in ms; undefined if the schema is refused. */
function timeOf(path: string): number | undefined {
  const value = parseInOrder(readFileSync(path, 'utf8')) as Record<string, unknown>
  const schema = 'schema' in value && 'tests' in value ? value['schema'] : value
  if (JSON.stringify(schema).length > schemaBytesMax) return undefined
  try {
    let grammar = trivial
    const compileMs = meanMs(() => (grammar = compileSchema(schema).toNumbers()))
    return compileMs + Math.max(0, meanMs(() => sampleMs(grammar, 1)) - treeMs)
  } catch (error) {
    if (error instanceof SchemaRefused) return undefined
    throw error
  }
}

function sampleMs(grammar: Int32Array, count: number): number {
  return cpuMsOf(() => void testAddon.sampleGrammar(logits, sampling, grammar, tokens, count))
}

function meanMs(work: () => unknown): number {
  return (
    cpuMsOf(() => {
      for (let call = 0; call < calls; call++) work()
    }) / calls
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}
