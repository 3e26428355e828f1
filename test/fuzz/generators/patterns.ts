import type { Draft } from './draft.ts'
import { withSchema } from './schema-request.ts'
import type { Random } from './random.ts'

/** Asks for a string that matches a hostile pattern, mostly one that backtracks or has many states. */
export function hostilePatterns(random: Random): Draft {
  const schema = {
    type: 'string',
    pattern: hostilePattern(random),
    ...(random.chance(0.3) && { minLength: random.magnitude(9000) }),
    ...(random.chance(0.3) && { maxLength: random.magnitude(9000) }),
    ...(random.chance(0.1) && {
      format: random.pick(['date', 'uuid', 'email', 'date-time', 'time', 'uri', 'regex', 'ipv6']),
    }),
  }
  return withSchema(
    random,
    random.oneOf<object>(
      () => schema,
      () => ({
        allOf: random.list(random.integer(1, 5), () => ({
          type: 'string',
          pattern: hostilePattern(random),
        })),
      }),
      () => ({ anyOf: [schema, { type: 'string', pattern: hostilePattern(random) }] }),
      () => ({
        type: 'object',
        properties: Object.fromEntries(
          random.list(random.integer(1, 20), (i) => [
            `p${i}`,
            { type: 'string', pattern: hostilePattern(random) },
          ]),
        ),
        additionalProperties: false,
      }),
      () => ({ type: 'object', patternProperties: { [schema.pattern]: {} } }),
    ),
  )
}

export function hostilePattern(random: Random): string {
  const core = random.oneOf(
    () => random.pick(known),
    () => random.pick(known),
    () => nested(random, random.integer(1, 6)),
    () => random.list(random.magnitude(300), (i) => `w${i * 7919}`).join('|'),
    () =>
      `[${random.list(random.magnitude(200), () => random.pick(['a-z', '\\w', '\\d', '\\s', 'é', '😀', '\\u00e9', '\\-', ']'])).join('')}]`,
    () =>
      String.fromCharCode(...random.list(random.magnitude(60), () => random.integer(0x20, 0x7e))),
  )
  return random.oneOf(
    () => core,
    () => `^${core}$`,
    () => `^(?:${core}){0,${random.magnitude(2000)}}$`,
    () => core.repeat(random.integer(1, 10)),
  )
}

const known = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^(.*a){25}$',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a?){50}a{50}',
  '.{1000}',
  '.{0,8000}',
  '^.{2000}$',
  '[\\s\\S]{999}',
  '^(?:.{1,30}){1,30}$',
  '((((a{1,9}){1,9}){1,9}){1,9})',
  '\\p{L}{100}',
  '[^\\x00-\\x7f]{300}',
  '(?=a)b',
  '(?!a)b',
  '(?<=a)b',
  '\\1',
  '(a)\\1',
  '(?<n>a)\\k<n>',
  '\\bfoo\\b',
  'a{2,1}',
  '[z-a]',
  '(',
  ')',
  '[',
  '*',
  '+',
  '?',
  '{',
  '}',
  '\\',
  '\\u{110000}',
  '\\ud800',
  '[\\ud83d\\ude00]',
  '\\c',
  '\\x',
  'a**',
  '(?i)a',
  '(?:)',
  '()',
  '(|)',
  '^$^$',
  '$^',
  'a{0}',
  'a{,5}',
  'a{99999999999}',
  '[^]',
  '[]',
  '^[01]*1[01]{14}$',
  '^[ab]*a[ab]{11}$',
  '(.*,){12}P',
  '^(?:a*b*c*d*e*f*g*h*)*$',
  '\\0',
  '\\cA',
  '[\\b]',
  '\u2028',
  '^\\S+@\\S+\\.\\S+$',
]

function nested(random: Random, depth: number): string {
  if (depth === 0) return random.pick(['a', '.', '[ab]', '\\w', 'é', '\\d+'])
  const inner = () => nested(random, depth - 1)
  return random.oneOf(
    () =>
      `(?:${inner()})${random.pick(['*', '+', '?', '{2,9}', `{${random.magnitude(60)}}`, '{3,}', '*?'])}`,
    () => `(?:${inner()}|${inner()})`,
    () => inner() + inner(),
  )
}
