import { expect, test } from 'vitest'
import { assertJsonBody } from './media-type.ts'

test.each([
  'application/json',
  'APPLICATION/JSON',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json; charset="utf-8"',
  'application/json ; charset=utf8',
  'application/json;',
  'application/json; odata.metadata=minimal',
  'application/json; charset=utf-8; v="1"',
])('takes %j', (value) =>
  expect(() => assertJsonBody({ 'content-type': value }), value).not.toThrow(),
)

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
  'application/json; x',
  'application /json',
  'json',
  'multipart/form-data; boundary=application/json',
  `application/json${'; '.repeat(10_000)}x`,
  `application/json${'; '.repeat(119)}x`,
  `application/json${';\t '.repeat(79)}x`,
  `application/json${'; charset=utf-8'.repeat(15)}x`,
])('refuses %j (T27)', (value) =>
  expect(() => assertJsonBody(value === undefined ? {} : { 'content-type': value })).toThrow(
    expect.objectContaining({ code: 'unsupported_media_type' }),
  ),
)

test.each([
  ['gzip', false],
  ['GZIP, identity', false],
  ['identity', true],
])('a body with the encoding %j', (encoding, isTaken) => {
  const check = () =>
    assertJsonBody({ 'content-type': 'application/json', 'content-encoding': encoding })
  if (isTaken) expect(check, 'identity means no encoding').not.toThrow()
  else expect(check, 'compressed').toThrow(/without compression/)
})
