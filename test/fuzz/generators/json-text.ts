import type { Random } from './random.ts'

/** JSON text that is written unchanged, even if no JavaScript value serialises to it. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An object whose names may repeat. */
export class Members {
  readonly entries: [name: string, value: Json][]

  constructor(entries: [name: string, value: Json][]) {
    this.entries = entries
  }
}

export type Json = null | boolean | number | string | Json[] | Members | RawJson

export function fromValue(value: unknown): Json {
  if (Array.isArray(value)) return value.map(fromValue)
  if (typeof value === 'object' && value !== null)
    return new Members(Object.entries(value).map(([name, member]) => [name, fromValue(member)]))
  return value as Json
}

export function toText(json: Json): string {
  if (json instanceof RawJson) return json.text
  if (Array.isArray(json)) return `[${json.map(toText).join(',')}]`
  if (json instanceof Members)
    return `{${json.entries.map(([name, value]) => `${JSON.stringify(name)}:${toText(value)}`).join(',')}}`
  return JSON.stringify(json)
}

/**
 * Returns roughly how many of `left` characters remain after the text of the value. Stops counting and returns a
 * negative number once the text is too long.
 */
export function charsLeft(json: Json, left: number): number {
  if (json instanceof RawJson) return left - json.text.length
  if (typeof json === 'string') return left - json.length
  if (typeof json !== 'object' || json === null) return left - 1
  const parts: Json[] = Array.isArray(json) ? json : json.entries.flat()
  let rest = left
  for (const part of parts) {
    rest = charsLeft(part, rest - 1)
    if (rest < 0) break
  }
  return rest
}

const textsOfInterest = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udc00\ud800',
  '\ufeff',
  '\u202e\u2066',
  '\u2028\u2029',
  'e\u0301'.repeat(200),
  '\u200d'.repeat(500),
  '👩‍👩‍👧‍👦'.repeat(50),
  '\uffff',
  'ﷺ'.repeat(100),
  '../../etc/passwd',
  "' OR 1=1 --",
  '${7*7}{{7*7}}',
  '%00%ff',
  'data: [DONE]\n\n',
  '__proto__',
  'constructor',
  'NaN',
  'svc-o1-mini',
  'assistant',
]

export function hostileText(random: Random, charsMax: number): string {
  const text = random.pick(textsOfInterest)
  return random.oneOf(
    () => text,
    () => text,
    () => (text + 'x').repeat(random.magnitude(charsMax / (text.length + 1))),
    () =>
      String.fromCharCode(
        ...random.list(random.magnitude(Math.min(charsMax, 1000)), () => random.integer(0, 0xffff)),
      ),
  )
}

const numbersOfInterest = [
  '0',
  '-0',
  '-1',
  '1',
  '2',
  '4',
  '5',
  '20',
  '21',
  '100',
  '101',
  '255',
  '256',
  '512',
  '513',
  '1000',
  '1001',
  '2048',
  '2049',
  '65536',
  '2147483647',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '-9007199254740993',
  '18446744073709551616',
  '1e308',
  '-1e308',
  '1e309',
  '1e999',
  '-1e999',
  '5e-324',
  '1e-999',
  '0.1',
  '0.5',
  '1.0',
  '1.0000000000000002',
  '1E2',
  '0e0',
  '0.000000000000000000000000000001',
  `1${'0'.repeat(400)}`,
  `0.${'3'.repeat(2000)}`,
  `-${'9'.repeat(5000)}`,
  'NaN',
  'Infinity',
  '01',
  '0x10',
  '1_000',
  '.5',
  '5.',
]

/** Draws a value of any type, up to about a hundred kilobytes long. */
export function hostileValue(random: Random): Json {
  return random.oneOf<Json>(
    () => random.pick([null, true, false]),
    () => new RawJson(random.pick(numbersOfInterest)),
    () => new RawJson(random.pick(numbersOfInterest)),
    () => random.integer(-3000, 3000) / random.pick([1, 1, 10, 7]),
    () => hostileText(random, 100_000),
    () => hostileText(random, 100),
    () => random.list(random.magnitude(2000), () => random.pick<Json>([0, '', null, [], 'a'])),
    () =>
      new Members(
        random.list(random.magnitude(5000), (index) => [
          `${random.pick(['k', '', '__proto__', '0'])}${index}`,
          0,
        ]),
      ),
    () => deep(random),
    () => [],
    () => new Members([]),
    () => new Members([['__proto__', new Members([['polluted', true]])]]),
    () =>
      new Members([['constructor', new Members([['prototype', new Members([['polluted', 1]])]])]]),
  )
}

function deep(random: Random): RawJson {
  const depth = random.magnitude(50_000)
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"":', '}]'],
  ] as const)
  return new RawJson(`${open.repeat(depth)}1${close.repeat(depth)}`)
}
