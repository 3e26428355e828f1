import { expect, test } from 'vitest'
import { sampleSchema } from '../../../../test/support/schemas/grammar-sampling.ts'
import { validator } from '../../../../test/support/schemas/schema-check.ts'
import { Budget } from '../grammar.ts'
import { accepts } from './dfa.ts'
import { patternOfFormat } from './formats.ts'
import { compilePattern } from './pattern.ts'

test.each([
  [
    'uri',
    [
      'https://example.com/',
      'https://my-project-git-feature-branch-my-team-name.vercel.app/',
      'http://localhost:8080',
      'https://Example.com?q=1#top',
      'postgresql://app:pw@db.example.com/x',
      'file:///tmp/a.txt',
      'data:text/plain;base64,SGk=',
      'mailto:jane@example.com',
      'urn:isbn:0451450523',
    ],
    ['https://', 'http:// a', 'example.com', '//example.com', 'https://-a.com', 'file://'],
  ],
  [
    'url',
    ['https://my-site.com/', 'http://a.com:8080', 'https://a.b.c.d.com/x', 'https://a.com/?x=1'],
    ['ftp://a.com', 'https://', 'https:///x', 'http://a', 'http://a.c', 'https://a.com?x=1'],
  ],
  ['date', ['0001-01-01', '2024-02-29'], ['0000-01-01', '0000-02-29', '2023-02-29']],
  ['date-time', ['2024-02-29T10:00:00Z'], ['0000-01-01T10:00:00Z']],
  ['ipv6', ['2001:db8::', '::', '::1', '1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:8'], ['1::2::', ':1']],
])('the format %s has the usual texts', (format, texts, others) => {
  const pattern = patternOfFormat(format, {}) ?? ''
  const isText = (text: string) =>
    accepts(compilePattern(pattern, new Budget()), text, new Budget())
  expect(texts.filter((text) => !isText(text))).toEqual([])
  expect(others.filter(isText)).toEqual([])
})

test.each([
  ['uri', 90, 2083],
  ['url', 150, 500],
  ['email', 80, 100],
  ['hostname', 50, 64],
])('%s with a maximum length has texts of %i characters', (format, minLength, maxLength) => {
  const texts = sampleSchema({ type: 'string', format, minLength, maxLength }, 20)
  expect(texts).toHaveLength(20)
  for (const text of texts) expect(text.length - 2).toBeLessThanOrEqual(maxLength)
})

test.each(['url', 'uri', 'email', 'hostname', 'ipv6', 'date-time', 'duration', 'regex'])(
  'Ajv accepts the texts of the format %s',
  (format) => {
    const schema = { type: 'string', format }
    const isValid = validator(schema)
    expect(sampleSchema(schema, 200).filter((text) => !isValid(text))).toEqual([])
  },
)
