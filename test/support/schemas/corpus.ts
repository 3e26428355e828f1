import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { compileSchema } from '../../../src/engine/grammar/compile-schema.ts'
import { type Grammar, SchemaRefused } from '../../../src/engine/grammar/grammar.ts'
import { parseInOrder } from '../../../src/json-order.ts'
import { schemaBytesMax } from '../../../src/limits.ts'
import { sampleText } from './grammar-sampling.ts'
import { threadCpuUsage } from '../../../src/engine/embedded/child/processor-time.ts'

type CorpusCounts = {
  schemas: number
  /** Number of schemas that compile. Schemas that are too large for a request are not compiled. */
  compiled: number
  tooLarge: number
  /** Number of compiled schemas that Ajv cannot read. */
  unchecked: number
  texts: number
  cpuMs: number
  /** Paths of refused schemas, by the message of the refusal. */
  readonly refusals: Map<string, string[]>
  /** Invalid texts, and other faults. */
  readonly wrong: string[]
}

/**
 * Compiles every schema below a folder, and checks texts of each grammar with Ajv. A file holds one schema, or an
 * object with a `schema` and `tests`.
 */
export function checkCorpus(folder: string, textsOfEach: number, oneIn = 1): CorpusCounts {
  const counts: CorpusCounts = {
    schemas: 0,
    compiled: 0,
    tooLarge: 0,
    unchecked: 0,
    texts: 0,
    cpuMs: 0,
    refusals: new Map(),
    wrong: [],
  }
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .toSorted()
  for (const path of paths.filter((_, index) => index % oneIn === 0)) {
    const schema = schemaIn(readFileSync(join(folder, path), 'utf8'))
    if (schema !== undefined) checkOne(counts, path, schema, textsOfEach)
  }
  return counts
}

/** Returns a report of the counts and refusals, the most frequent refusals first. */
export function reportOf({ refusals, wrong, ...counts }: CorpusCounts): string {
  const share = ((counts.compiled / counts.schemas) * 100).toFixed(1)
  const reasons = [...refusals].toSorted(([, a], [, b]) => b.length - a.length)
  return [
    `${share} % compiled: ${JSON.stringify(counts)}`,
    ...reasons.map(([reason, paths]) => `${paths.length} ${reason} | ${paths[0]}`),
    `${wrong.length} wrong`,
    ...wrong,
  ].join('\n')
}

function schemaIn(text: string): unknown {
  const value = parseInOrder(text)
  if (typeof value !== 'object' || value === null) return undefined
  return 'schema' in value && 'tests' in value ? value.schema : value
}

function checkOne(counts: CorpusCounts, path: string, schema: unknown, textsOfEach: number): void {
  counts.schemas += 1
  if (JSON.stringify(schema).length > schemaBytesMax) {
    counts.tooLarge += 1
    return
  }
  const before = threadCpuUsage()
  const grammar = compile(schema)
  const { user, system } = threadCpuUsage(before)
  counts.cpuMs += (user + system) / 1000
  if (!(typeof grammar === 'object' && 'example' in grammar)) {
    const reason = grammar instanceof SchemaRefused ? grammar.message : String(grammar)
    if (!(grammar instanceof SchemaRefused)) counts.wrong.push(`${path}: ${reason}`)
    const known = counts.refusals.get(reason) ?? []
    counts.refusals.set(reason, [...known, path])
    return
  }
  counts.compiled += 1
  const isValid = validatorOf(schema)
  if (isValid === undefined) counts.unchecked += 1
  for (let seed = 0; seed <= textsOfEach; seed++) {
    try {
      const text = seed === 0 ? grammar.example() : sampleText(grammar, seed)
      if (text === undefined) continue
      counts.texts += 1
      if (isValid !== undefined && !isValid(text))
        counts.wrong.push(`${path}: ${text.slice(0, 300)}`)
      else JSON.parse(text)
    } catch (error) {
      counts.wrong.push(`${path}: ${String(error)}`)
    }
  }
}

function compile(schema: unknown): Grammar | Error {
  try {
    return compileSchema(schema)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const oldDraft = /draft-0[1-7]/
const later = /"(?:prefixItems|\$defs|dependentRequired|unevaluated\w+|\$anchor|\$dynamicRef)":/

/** Returns a function that checks a text with Ajv; undefined for schemas that Ajv cannot read. */
export function validatorOf(given: unknown): ((text: string) => boolean) | undefined {
  const schema = typeof given === 'boolean' ? (given ? {} : { not: {} }) : given
  try {
    const text = JSON.stringify(schema)
    const plain: unknown = JSON.parse(text, toLaterDraft)
    const draft = String(Reflect.get(plain as object, '$schema'))
    // `$async` and `$data` are Ajv's own: a promise as the result, and a reference into the checked value.
    if (text.includes('"$data"')) return undefined
    for (const keyword of ['$schema', '$async']) Reflect.deleteProperty(plain as object, keyword)
    const options = {
      strict: false,
      logger: false,
      validateSchema: false,
      multipleOfPrecision: 6,
    } as const
    const isLater = draft.includes('2020-12') || (!oldDraft.test(draft) && later.test(text))
    const ajv = draft.includes('2019-09')
      ? new Ajv2019(options)
      : isLater
        ? new Ajv2020(options)
        : new Ajv(options)
    formats.default(ajv)
    const validate = ajv.compile(plain as object)
    return (reply) => validate(JSON.parse(reply)) === true
  } catch {
    return undefined
  }
}

/** Rewrites the bounds and the `id` of draft 4, which Ajv does not read. */
function toLaterDraft(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const schema = value as Record<string, unknown>
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue
    if (schema[exclusive] && typeof schema[bound] === 'number') schema[exclusive] = schema[bound]
    else delete schema[exclusive]
  }
  if (typeof schema['id'] === 'string') delete schema['id']
  return schema
}
