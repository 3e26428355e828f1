import { numberTextsOf, parseInOrder } from '../../../../../json-order.ts'
import { Float } from './values.ts'

/** Longer integers take too long to convert; Python refuses those of more than 4300 digits. */
const digitsMax = 1000

/**
 * Parses JSON with the order of members and the numbers of Python's `json.loads`: integers are exact, and numbers with
 * a fraction or an exponent become a `Float`. So templates write 1.0 and long integers as the reference implementations
 * do.
 */
export function parseJson(text: string): unknown {
  const value = parseInOrder(text)
  convertNumbers(value)
  return typeof value === 'number' ? toNumber(text.trim()) : value
}

/** Replaces the numbers inside of a value that JavaScript writes in another way than Python. */
function convertNumbers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, text] of numberTextsOf(value)) Reflect.set(value, name, toNumber(text))
  for (const member of Object.values(value)) convertNumbers(member)
}

function toNumber(text: string): number | bigint | Float {
  if (!/^-?\d+$/.test(text) || text.length > digitsMax) return new Float(Number(text))
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}
