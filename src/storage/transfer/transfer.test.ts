import { expect, test } from 'vitest'
import { toStartError } from './transfer.ts'

test.each([
  ['EPIPE', /^The connection to .* was lost\./],
  ['ECONNRESET', /^The connection to .* was lost\./],
  ['57P01', /^The connection to .* was lost\./],
  ['23505', /^PostgreSQL refused the rows: why\./],
])('a transfer that ends with the code %s says what happened', (code, message) => {
  const error = toStartError(Object.assign(new Error('why'), { code }), 'postgres://db/pipit')
  expect(error).toMatchObject({ message: expect.stringMatching(message) })
})
