const integer = { type: 'integer' }

/** An object with so many possible names that the check of all tokens takes too long once it has those of `objectBegin`. */
export const manyNames = {
  type: 'object',
  patternProperties: { '^[a-y][a-y\\d]*$': integer, '^z$': integer },
  additionalProperties: false,
}

const used = ['z', ...Array.from({ length: 2000 }, (_, index) => `a${index}`)]

/** Text of such an object up to the begin of its next name. `z` is one of the names that it has. */
export const objectBegin = `{${used.map((name) => `"${name}":1`).join()},"`

const letters = Array.from('bcdefghijklmnopqrstuvwxy')

/** Names that the object may still have. */
export const freeNames = letters.flatMap((a) =>
  letters.flatMap((b) => letters.map((c) => a + b + c)),
)
