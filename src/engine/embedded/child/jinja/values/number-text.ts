/** Writes a number of at least 0 with `precision` digits after the point, as Python's format `f` does. */
export function fixedText(size: number, precision: number): string {
  if (!Number.isFinite(size)) return specialText(size)
  const digits = scaled(size, precision)
    .toString()
    .padStart(precision + 1, '0')
  return withPoint(digits, digits.length - precision)
}

/** Writes a number of at least 0 with an exponent, as Python's format `e` does. */
export function exponentText(size: number, precision: number): string {
  if (!Number.isFinite(size)) return specialText(size)
  const { digits, exponent } = significant(size, precision + 1)
  return withPoint(digits, 1) + exponentSuffix(exponent)
}

/** Returns the digits without zeros at the end, but at least one digit. */
function withoutZeros(digits: string): string {
  let end = digits.length
  while (end > 1 && digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/**
 * Writes a number of at least 0 with `precision` significant digits, as Python's format `g` does. `hasZeros` keeps
 * zeros at the end; `isFloat` writes whole numbers with `.0`, as Python does when a format names no type.
 */
export function generalText(
  size: number,
  precision: number,
  { hasZeros = false, isFloat = false },
): string {
  if (!Number.isFinite(size)) return specialText(size)
  const count = precision || 1
  const { digits: all, exponent } = significant(size, count)
  const digits = hasZeros ? all : withoutZeros(all)
  if (exponent < -4 || exponent >= count - Number(isFloat))
    return withPoint(digits, 1) + exponentSuffix(exponent)
  const text =
    exponent < 0
      ? withPoint('0'.repeat(-exponent) + digits, 1)
      : withPoint(digits.padEnd(exponent + 1, '0'), exponent + 1)
  return isFloat && !text.includes('.') ? `${text}.0` : text
}

/** Writes a separator between each three digits before the point. */
export function grouped(text: string, separator: string): string {
  const whole = /^\d*/.exec(text)?.[0] ?? ''
  const head = whole.length % 3
  const groups = whole.slice(head).match(/\d{3}/g) ?? []
  return (
    [...(head > 0 ? [whole.slice(0, head)] : []), ...groups].join(separator) +
    text.slice(whole.length)
  )
}

function specialText(size: number): string {
  return Number.isNaN(size) ? 'nan' : 'inf'
}

function withPoint(digits: string, at: number): string {
  return at < digits.length ? `${digits.slice(0, at)}.${digits.slice(at)}` : digits
}

function exponentSuffix(exponent: number): string {
  return `e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

/** Returns the first `count` digits of a number, rounded, and the power of ten of the first. */
function significant(size: number, count: number): { digits: string; exponent: number } {
  if (size === 0) return { digits: '0'.repeat(count), exponent: 0 }
  const estimate = Number(size.toExponential().split('e')[1])
  const digits = scaled(size, count - 1 - estimate).toString()
  if (digits.length === count) return { digits, exponent: estimate }
  // Rounding added a digit, or the estimate was rounded up.
  const exponent = estimate + digits.length - count
  return { digits: scaled(size, count - 1 - exponent).toString(), exponent }
}

/** Returns `size * 10 ** power` as an integer. `toFixed` would round up a half such as that of 0.5; Python rounds it to even. */
function scaled(size: number, power: number): bigint {
  let [whole, bits] = [size, 0n]
  while (!Number.isInteger(whole)) {
    whole *= 2
    bits += 1n
  }
  const numerator = BigInt(whole) * 10n ** BigInt(Math.max(power, 0))
  const denominator = 2n ** bits * 10n ** BigInt(Math.max(-power, 0))
  const [quotient, rest] = [numerator / denominator, numerator % denominator]
  const isUp = 2n * rest > denominator || (2n * rest === denominator && quotient % 2n === 1n)
  return isUp ? quotient + 1n : quotient
}
