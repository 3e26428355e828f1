import type { GrammarBuilder, State } from './grammar.ts'

export type NumberRange = {
  readonly least?: Bound
  readonly most?: Bound
}
export type Bound = { readonly value: number; readonly isOpen: boolean }

const integerDigitsMax = 15
const fractionDigitsMax = 6
/** From this bound on a double cannot represent six fraction digits. */
const fractionBoundMax = 1e9

export function isEmptyRange({ least, most }: NumberRange): boolean {
  if (least === undefined || most === undefined) return false
  return least.value > most.value || (least.value === most.value && (least.isOpen || most.isOpen))
}

/** Adds the decimal numbers of a range, without exponents. Adds nothing if none has few enough digits. */
export function addNumberRange(
  grammar: GrammarBuilder,
  from: State,
  { least, most }: NumberRange,
  isInteger: boolean,
  to: State,
): void {
  const isWide = [least, most].some((bound) => Math.abs(bound?.value ?? 0) >= fractionBoundMax)
  const fraction = isInteger || isWide ? 0 : fractionDigitsMax
  const limit = 10n ** BigInt(integerDigitsMax + fraction) - 1n
  // Bounds in units of the last fraction digit.
  const low = least === undefined ? -limit : larger(unitsAbove(least, fraction), -limit)
  const high = most === undefined ? limit : -larger(-unitsBelow(most, fraction), -limit)
  if (low > high) return
  if (high >= 0n) addDigits(grammar, from, low > 0n ? low : 0n, high, fraction, to)
  if (low >= 0n) return
  const negative = grammar.state()
  grammar.bytes(from, 0x2d, 0x2d, negative)
  addDigits(grammar, negative, high < 0n ? -high : 1n, -low, fraction, to)
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

/** Computes exactly, from the shortest decimal text of the number. */
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

/** Adds the numbers from `low` to `high`, both in units and not negative, as decimals. */
function addDigits(
  grammar: GrammarBuilder,
  from: State,
  low: bigint,
  high: bigint,
  fraction: number,
  to: State,
): void {
  for (let digits = 1; digits <= integerDigitsMax; digits++) {
    const length = digits + fraction
    const shortest = digits === 1 ? 0n : 10n ** BigInt(length - 1)
    const longest = 10n ** BigInt(length) - 1n
    const first = low > shortest ? low : shortest
    const last = high < longest ? high : longest
    if (first > last) continue
    const texts = [first, last].map((units) => units.toString().padStart(length, '0'))
    new DigitsBetween(grammar, texts[0] ?? '', texts[1] ?? '', digits, to).add(from)
  }
}

/** Adds the numbers between two digit strings of one length; `digits` of them stand before the point. Trailing zeros are optional. */
class DigitsBetween {
  readonly #grammar: GrammarBuilder
  readonly #low: string
  readonly #high: string
  readonly #digits: number
  readonly #to: State
  readonly #states = new Map<string, State>()

  constructor(grammar: GrammarBuilder, low: string, high: string, digits: number, to: State) {
    this.#grammar = grammar
    this.#low = low
    this.#high = high
    this.#digits = digits
    this.#to = to
  }

  add(from: State): void {
    this.#grammar.skip(from, this.#state(0, true, true))
  }

  /** `onLow` and `onHigh` mean that the digits so far are those of the lowest or the highest number. */
  #state(at: number, onLow: boolean, onHigh: boolean): State {
    const key = `${at} ${onLow} ${onHigh}`
    const known = this.#states.get(key)
    if (known !== undefined) return known
    const state = this.#grammar.state()
    this.#states.set(key, state)
    const mayEnd = !onLow || /^0*$/.test(this.#low.slice(at))
    if (at >= this.#digits && mayEnd) this.#grammar.skip(state, this.#to)
    if (at === this.#low.length) return state
    let next = state
    if (at === this.#digits) {
      next = this.#grammar.state()
      this.#grammar.bytes(state, 0x2e, 0x2e, next)
    }
    const least = onLow ? Number(this.#low[at]) : 0
    const most = onHigh ? Number(this.#high[at]) : 9
    for (let digit = least; digit <= most; digit++) {
      const stays = { low: onLow && digit === least, high: onHigh && digit === most }
      const byte = 0x30 + digit
      this.#grammar.bytes(next, byte, byte, this.#state(at + 1, stays.low, stays.high))
    }
    return state
  }
}
