import { newNonce } from '../../new-nonce.ts'
import { Float } from './values.ts'

/** Matches a string, or a number with a fraction, an exponent or more digits than JavaScript's numbers keep. */
const stringOrNumber =
  /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)|-?\d{16,}/g
const exactNumber = /\d[.eE]|\d{16}/
/** Longer integers take too long to convert; Python refuses those of more than 4300 digits. */
const digitsMax = 1000

/**
 * Parses JSON with the numbers of Python's `json.loads`: integers are exact, and numbers with a fraction or an exponent
 * become a `Float`. So templates write 1.0 and long integers as the reference implementations do.
 */
export function parseJson(text: string): unknown {
  if (!exactNumber.test(text)) return JSON.parse(text)
  // `JSON.parse` gives a reviver the text of a number only from Node 24 on.
  const mark = newNonce()
  const marked = text.replaceAll(stringOrNumber, (token) =>
    token.startsWith('"') ? token : `"${mark}${token}"`,
  )
  return JSON.parse(marked, (_name, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark)
      ? toNumber(value.slice(mark.length))
      : value,
  )
}

function toNumber(text: string): bigint | Float {
  const isInteger = /^-?\d+$/.test(text) && text.length <= digitsMax
  return isInteger ? BigInt(text) : new Float(Number(text))
}
