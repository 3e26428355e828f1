import { ServiceError } from '../errors.ts'

const microDigits = 6
const picoDigits = 12

/**
 * Parses an amount of at least 0 with up to six decimals, such as `0.15`. The result is an integer, because a float
 * would round.
 * @param integerDigits digits before the point, at most 9
 * @returns the amount in millionths
 * @throws ServiceError invalid_value
 */
export function parseMicros(text: string, param: string, integerDigits: number): number {
  const match = /^(\d+)(?:\.(\d{1,6}))?$/.exec(text.trim())
  const [, whole = '', fraction = ''] = match ?? []
  if (match === null || whole.replace(/^0+(?=\d)/, '').length > integerDigits)
    throw new ServiceError(
      'invalid_value',
      `Enter an amount such as 0.15, below ${10 ** integerDigits} and with at most six decimals.`,
      { param },
    )
  return Number(whole) * 10 ** microDigits + Number(fraction.padEnd(microDigits, '0'))
}

/** Returns millionths as a decimal number: 150000 is `0.15`. */
export function microsText(micros: number): string {
  return decimalText(BigInt(micros), microDigits)
}

/** Returns units of 10^-12 as a decimal number, without rounding. */
export function picosText(picos: bigint): string {
  return decimalText(picos, picoDigits)
}

/** @param value at least 0, in units of 10^-`digits` */
function decimalText(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0')
  let end = text.length
  while (end > text.length - digits && text[end - 1] === '0') end -= 1
  const fraction = text.slice(text.length - digits, end)
  return fraction === '' ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${fraction}`
}
