import type { GrammarBuilder, State } from './grammar.ts'

export type NumberRange = {
  readonly least?: Bound
  readonly most?: Bound
}
export type Bound = { readonly value: number; readonly isOpen: boolean }

const integerDigitsMax = 15
const fractionDigitsMax = 6
/** Most different remainders that the leading digits of a number may leave. Each one needs states of its own. */
const divisorClassesMax = 128n
/**
 * A double of at least this magnitude cannot represent six fraction digits. So a number just below such a bound may be
 * rounded to the bound, which matters only if the bound itself is excluded.
 */
const fractionBoundMax = 1e9

export function isEmptyRange({ least, most }: NumberRange): boolean {
  if (least === undefined || most === undefined) return false
  return least.value > most.value || (least.value === most.value && (least.isOpen || most.isOpen))
}

/** The multiples of `units` · 10^-`fraction`. Without `multipleOf`, `units` is 0, and every number is allowed. */
type Divisor = { readonly units: bigint; readonly fraction: number }

/** Returns the least common multiple; undefined if it would need too many digits or states. */
export function divisorOf(multiples: readonly number[]): Divisor | undefined {
  if (multiples.length === 0) return { units: 0n, fraction: 0 }
  const fraction = Math.max(...multiples.map(decimalsOf))
  if (fraction > fractionDigitsMax) return undefined
  let units = 1n
  for (const multiple of multiples) {
    const next = floorUnits(multiple, fraction).whole
    units = (units * next) / greatestDivisor(units, next)
  }
  const classes = units / greatestDivisor(units, 10n ** BigInt(integerDigitsMax))
  return classes <= divisorClassesMax ? reduced({ units, fraction }) : undefined
}

/** Returns true if the value is a multiple of the divisor. Both are treated as exact decimal numbers. */
export function isMultiple(value: number, divisor: number): boolean {
  const fraction = Math.max(decimalsOf(value), decimalsOf(divisor))
  return floorUnits(value, fraction).whole % floorUnits(divisor, fraction).whole === 0n
}

/** Returns the same text for equal ranges of numbers. */
export function rangeKey({ least, most }: NumberRange, divisor: Divisor | 'integer'): string {
  const [low, high] = [least, most].map((bound) => bound && `${bound.value} ${bound.isOpen}`)
  const step = divisor === 'integer' ? divisor : `${divisor.units} ${divisor.fraction}`
  return `numbers ${low} to ${high} by ${step}`
}

/** Adds the decimal numbers of a range, without exponents. Adds nothing if all of them have too many digits. */
export function addNumberRange(
  grammar: GrammarBuilder,
  from: State,
  range: NumberRange,
  divisor: Divisor | 'integer',
  to: State,
): void {
  const isWide = [range.least, range.most].some(
    (bound) => bound?.isOpen === true && Math.abs(bound.value) >= fractionBoundMax,
  )
  const isInteger = divisor === 'integer'
  const units = isInteger ? 0n : divisor.units
  const fraction = isInteger ? 0 : units > 0n ? divisor.fraction : isWide ? 0 : fractionDigitsMax
  const { low, high } = unitsOf(range, fraction)
  if (low > high) return
  const digits = { grammar, fraction, divisor: units, to, free: new Map<string, State>() }
  if (high >= 0n) addDigits(digits, from, low > 0n ? low : 0n, high)
  if (low >= 0n) return
  const negative = grammar.state()
  grammar.bytes(from, 0x2d, 0x2d, negative)
  addDigits(digits, negative, high < 0n ? -high : 1n, -low)
}

/** Returns the number of integers that `addNumberRange` adds for the range. */
export function integersIn(range: NumberRange): number {
  const { low, high } = unitsOf(range, 0)
  return Math.max(0, Number(high - low + 1n))
}

/** Returns the lowest and the highest number of the range, counted in units of 10^-`fraction`. */
function unitsOf({ least, most }: NumberRange, fraction: number): { low: bigint; high: bigint } {
  const limit = 10n ** BigInt(integerDigitsMax + fraction) - 1n
  const low = least === undefined ? -limit : larger(unitsAbove(least, fraction), -limit)
  const high = most === undefined ? limit : -larger(-unitsBelow(most, fraction), -limit)
  return { low, high }
}

/** Returns an equal divisor with as few fraction digits as possible. */
function reduced({ units, fraction }: Divisor): Divisor {
  return fraction > 0 && units % 10n === 0n
    ? reduced({ units: units / 10n, fraction: fraction - 1 })
    : { units, fraction }
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b)
}

/** Returns the number of fraction digits in the shortest decimal text of the number. */
function decimalsOf(value: number): number {
  const [mantissa = '0', exponent = '0'] = value.toString().split('e')
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent))
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function unitsAbove({ value, isOpen }: Bound, fraction: number): bigint {
  const { whole, isExact } = floorUnits(value, fraction)
  return isExact && !isOpen ? whole : whole + 1n
}

function unitsBelow({ value, isOpen }: Bound, fraction: number): bigint {
  const { whole, isExact } = floorUnits(value, fraction)
  return isExact && isOpen ? whole - 1n : whole
}

/** Rounds a number down to units of 10^-`fraction`. Exact, because it reads the shortest decimal text of the number. */
function floorUnits(value: number, fraction: number): { whole: bigint; isExact: boolean } {
  const [mantissa = '0', exponent = '0'] = value.toString().split('e')
  const [digits = '0', decimals = ''] = mantissa.split('.')
  const shift = Number(exponent) - decimals.length + fraction
  const all = BigInt(digits.replace('-', '') + decimals)
  const scale = 10n ** BigInt(Math.abs(shift))
  const size = shift >= 0 ? all * scale : all / scale
  const isExact = shift >= 0 || all % scale === 0n
  if (value >= 0) return { whole: size, isExact }
  return { whole: isExact ? -size : -size - 1n, isExact }
}

type Digits = {
  readonly grammar: GrammarBuilder
  /** Digits after the point. */
  readonly fraction: number
  /** The number must be a multiple of this, counted in units of the last decimal place; 0 allows any number. */
  readonly divisor: bigint
  readonly to: State
  /**
   * States after which any digits keep the number within the bounds. The key is the count of remaining digits and the
   * remainder so far.
   */
  readonly free: Map<string, State>
}

/** Adds the numbers from `low` to `high`, which are not negative and count units of the last decimal place. */
function addDigits(digits: Digits, from: State, low: bigint, high: bigint): void {
  for (let whole = 1; whole <= integerDigitsMax; whole++) {
    const length = whole + digits.fraction
    const shortest = whole === 1 ? 0n : 10n ** BigInt(length - 1)
    const longest = 10n ** BigInt(length) - 1n
    const first = low > shortest ? low : shortest
    const last = high < longest ? high : longest
    if (first > last) continue
    const texts = [first, last].map((units) => units.toString().padStart(length, '0'))
    new DigitsBetween(digits, texts[0] ?? '', texts[1] ?? '').add(from)
  }
}

/** Adds the numbers between two digit strings of the same length. Trailing zeros of the fraction are optional. */
class DigitsBetween {
  readonly #digits: Digits
  readonly #low: string
  readonly #high: string
  readonly #states = new Map<string, State>()

  constructor(digits: Digits, low: string, high: string) {
    this.#digits = digits
    this.#low = low
    this.#high = high
  }

  add(from: State): void {
    this.#digits.grammar.skip(from, this.#state(0, 0n, true, true))
  }

  /**
   * `onLow` and `onHigh`: the digits so far equal those of the lowest or highest number. `rest`: remainder of the
   * number formed by the digits so far, followed by zeros.
   */
  #state(at: number, rest: bigint, onLow: boolean, onHigh: boolean): State {
    const { grammar, fraction, free, to } = this.#digits
    const more = this.#low.length - at
    const isFree = !onLow && !onHigh
    const key = isFree ? `${more} ${rest}` : `${at} ${rest} ${onLow} ${onHigh}`
    const states = isFree ? free : this.#states
    const known = states.get(key)
    if (known !== undefined) return known
    const state = grammar.state()
    states.set(key, state)
    const mayEnd = rest === 0n && (!onLow || /^0*$/.test(this.#low.slice(at)))
    if (more <= fraction && mayEnd) grammar.skip(state, to)
    if (more === 0) return state
    let next = state
    if (more === fraction) {
      next = grammar.state()
      grammar.bytes(state, 0x2e, 0x2e, next)
    }
    this.#addDigit(next, at, rest, onLow, onHigh)
    return state
  }

  #addDigit(from: State, at: number, rest: bigint, onLow: boolean, onHigh: boolean): void {
    const { grammar, divisor } = this.#digits
    const least = onLow ? Number(this.#low[at]) : 0
    const most = onHigh ? Number(this.#high[at]) : 9
    const place = 10n ** BigInt(this.#low.length - at - 1)
    for (let digit = least; digit <= most; digit++) {
      const isLow = onLow && digit === least
      const isHigh = onHigh && digit === most
      const byte = 0x30 + digit
      const left = divisor === 0n ? 0n : (rest + BigInt(digit) * place) % divisor
      // The remaining digits can add less than `place`.
      if (left !== 0n && divisor - left >= place) continue
      grammar.bytes(from, byte, byte, this.#state(at + 1, left, isLow, isHigh))
    }
  }
}
