import { expect, test } from 'vitest'
import { assertJsonMediaType } from './media-type.ts'

test.each([
  'application/json',
  'APPLICATION/JSON',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json ; charset=utf8',
  'application/json;',
])('takes %j', (value) => expect(() => assertJsonMediaType(value)).not.toThrow())

test.each([
  undefined,
  '',
  'text/plain',
  'application/jsonx',
  'application/json-patch+json',
  'application/problem+json',
  'application/json, text/plain',
  'text/plain; application/json',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application /json',
  'json',
  'multipart/form-data; boundary=application/json',
  `application/json${'; '.repeat(10_000)}x`,
  `application/json${'; '.repeat(119)}x`,
  `application/json${';\t '.repeat(79)}x`,
  `application/json${'; charset=utf-8'.repeat(15)}x`,
])('refuses %j (T27)', (value) =>
  expect(() => assertJsonMediaType(value)).toThrow(
    expect.objectContaining({ code: 'unsupported_media_type' }),
  ),
)
