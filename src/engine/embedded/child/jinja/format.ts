import { boundedCount, type CallArguments } from './arguments.ts'
import { exponentText, fixedText, generalText, grouped } from './values/number-text.ts'
import { padded } from './values/texts.ts'
import {
  boundedText,
  Float,
  floatText,
  isDict,
  isList,
  numberOf,
  reprOf,
  TemplateError,
  textOf,
  Tuple,
  typeName,
  type Value,
} from './values/values.ts'

/** The form in which a placeholder writes its value. */
type Form = {
  readonly fill: string
  /** Where the value goes within the width: by default texts to the left, numbers to the right. */
  readonly align: string | undefined
  readonly sign: string
  /** Python's `#`. */
  readonly isAlternate: boolean
  readonly width: number
  readonly separator: string
  readonly precision: number | undefined
  readonly kind: string
}

/** Maximum precision of a number, so that a template cannot compute with endless digits. */
const digitsMax = 100

/** Fills in placeholders such as `%s`, `%(name)s` and `%05.2f`, as Python's operator `%` does. @throws TemplateError */
export function printf(text: string, operand: Value): string {
  const values = operand instanceof Tuple ? operand.items : [operand]
  let next = 0
  const take = (name: string | undefined) => {
    if (name !== undefined && isDict(operand) && operand.has(name)) return operand.get(name)
    if (name !== undefined) throw new TemplateError(`the format has no value ${name}`)
    if (next === values.length) throw new TemplateError('the format has too few values')
    next += 1
    return values[next - 1]
  }
  const placeholder = /%(?:%|(?:\(([^()]*)\))?([-+ 0#]*)(\d*)(?:\.(\d*))?([diouxXeEfFgGcrs]?))/g
  const filled = replaceBounded(
    text,
    placeholder,
    ([whole, name, flags = '', width, precision, kind]) => {
      if (whole === '%%') return '%'
      if (!kind) throw new TemplateError(`the format ${whole} is not supported`)
      const value = take(name)
      const isNumeric = !/[crs]/.test(kind)
      const isFilled = isNumeric && flags.includes('0') && !flags.includes('-')
      return printfValue(value, {
        fill: isFilled ? '0' : ' ',
        align: flags.includes('-') ? '<' : isFilled ? '=' : '>',
        sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '-',
        isAlternate: flags.includes('#'),
        width: boundedCount(Number(width)),
        separator: '',
        precision: precision === undefined ? undefined : boundedCount(Number(precision)),
        kind: /[iu]/.test(kind) ? 'd' : kind,
      })
    },
  )
  const hasAll = next === values.length || isDict(operand) || isList(operand)
  if (!hasAll) throw new TemplateError('the format has too many values')
  return filled
}

function printfValue(value: Value, form: Form): string {
  const { kind } = form
  if (kind === 's') return formatText(textOf(value), form)
  if (kind === 'r') return formatText(reprOf(value), form)
  if (kind === 'c' && typeof value === 'string' && Array.from(value).length === 1)
    return formatText(value, form)
  const isWhole = kind === 'd' && value instanceof Float && Number.isFinite(value.value)
  return formatNumber(isWhole ? BigInt(Math.trunc(value.value)) : value, form)
}

/** Fills in placeholders such as `{}`, `{name!r}` and `{0:>8.2f}`, as Python's `str.format` does. @throws TemplateError */
export function format(text: string, args: CallArguments): string {
  let next = 0
  const take = (name: string) => {
    const index = name === '' ? next++ : Number(name)
    if (/^\d*$/.test(name) ? index < args.positional.length : args.named.has(name))
      return /^\d*$/.test(name) ? args.positional[index] : args.named.get(name)
    throw new TemplateError(`the format has no value ${name || index}`)
  }
  const placeholder = /\{\{|\}\}|\{([\p{L}\p{N}_]*)(?:!([rs]))?(?::([^{}]*))?\}|[{}]/gu
  return replaceBounded(text, placeholder, ([whole, name, conversion, form = '']) => {
    if (whole === '{{' || whole === '}}') return whole.slice(1)
    if (name === undefined) throw new TemplateError('a placeholder of the format is not supported')
    const value = take(name)
    if (conversion === 'r') return formatValue(reprOf(value), form)
    return formatValue(conversion === 's' ? textOf(value) : value, form)
  })
}

const formPattern =
  /^(?:([^])?([<>=^]))?([-+ ]?)(#?)(0?)(\d*)([,_]?)(?:\.(\d+))?([bcdeEfFgGosxX%]?)$/u

function formatValue(value: Value, text: string): string {
  if (text === '') return textOf(value)
  const [, fill, align, sign = '', hash, zero, width, separator = '', precision, kind = ''] =
    formPattern.exec(text) ?? []
  const isNumber = numberOf(value) !== undefined
  const isPadded = zero === '0' && align === undefined && isNumber
  const form: Form = {
    fill: fill ?? (zero === '0' ? '0' : ' '),
    align: align ?? (isPadded ? '=' : undefined),
    sign,
    isAlternate: hash === '#',
    width: boundedCount(Number(width)),
    separator,
    precision: precision === undefined ? undefined : boundedCount(Number(precision)),
    kind,
  }
  const isInteger = isNumber && !(value instanceof Float)
  const isRefused =
    !formPattern.test(text) ||
    // Python would write separators between the zeros too.
    (separator !== '' && form.fill === '0' && form.align === '=') ||
    (separator !== '' && /[bcoxX]/.test(kind)) ||
    (sign + hash !== '' && kind === 'c') ||
    (isInteger && /^[bcdoxX]?$/.test(kind) && precision !== undefined) ||
    (typeof value === 'string' && (align === '=' || sign + hash + separator !== ''))
  if (isRefused) throw refusal(value, text)
  if (isNumber) return formatNumber(value, form)
  if (typeof value === 'string' && /^s?$/.test(kind)) return formatText(value, form)
  throw refusal(value, text)
}

function refusal(value: Value, form: string): TemplateError {
  return new TemplateError(`the format ${form} is not possible with a ${typeName(value)}`)
}

function formatText(text: string, { precision, width, align = '<', fill }: Form): string {
  const part = precision === undefined ? text : Array.from(text).slice(0, precision).join('')
  return padded(part, align, width, fill)
}

function formatNumber(value: Value, form: Form): string {
  const { kind, width, fill, align = '>' } = form
  const number = numberOf(value)
  if (number === undefined || kind === 's' || (kind === 'c' && value instanceof Float))
    throw refusal(value, kind)
  if (kind === 'c') return padded(characterOf(number), align, width, fill)
  const isInteger = /[bdoxX]/.test(kind) || (kind === '' && !(value instanceof Float))
  const [prefix, digits] = isInteger ? integerDigits(value, form) : ['', floatDigits(number, form)]
  const isNegative = number < 0 || (Object.is(number, -0) && !isInteger)
  const sign = isNegative ? '-' : form.sign === '-' ? '' : form.sign
  if (align !== '=') return padded(sign + prefix + digits, align, width, fill)
  return sign + prefix + padded(digits, '>', width - sign.length - prefix.length, fill)
}

function characterOf(code: number): string {
  if (Number.isInteger(code) && code >= 0 && code <= 0x10_ff_ff) return String.fromCodePoint(code)
  throw new TemplateError(`${code} is no character`)
}

/** Returns the prefix, such as `0x`, and the digits. */
function integerDigits(value: Value, form: Form): [string, string] {
  const { kind, precision = 1, separator, isAlternate } = form
  const number = typeof value === 'bigint' ? value : numberOf(value)
  if (number === undefined || value instanceof Float || !isFinite(Number(number)))
    throw refusal(value, kind)
  const radix = { b: 2, o: 8, x: 16 }[kind.toLowerCase()] ?? 10
  const integer = BigInt(typeof number === 'bigint' ? number : Math.trunc(number))
  const digits = (integer < 0n ? -integer : integer).toString(radix).padStart(precision, '0')
  const prefix = isAlternate && radix !== 10 ? `0${kind}` : ''
  return [
    prefix,
    separator === '' ? (kind === 'X' ? digits.toUpperCase() : digits) : grouped(digits, separator),
  ]
}

/** Returns the digits without a sign. */
function floatDigits(number: number, form: Form): string {
  const { kind, separator, isAlternate } = form
  if ((form.precision ?? 0) > digitsMax)
    throw new TemplateError(`a precision of ${form.precision} is too large`)
  const text = grouped(unsignedText(Math.abs(number), form), separator)
  const pointed = isAlternate && /^\d+(?!.*\.)/.test(text) ? text.replace(/^[\d,_]+/, '$&.') : text
  const upper = /[EFG]/.test(kind) ? pointed.toUpperCase() : pointed
  return kind === '%' ? `${upper}%` : upper
}

function unsignedText(size: number, { kind, precision, isAlternate }: Form): string {
  switch (kind) {
    case 'f':
    case 'F':
      return fixedText(size, precision ?? 6)
    case '%':
      return fixedText(size * 100, precision ?? 6)
    case 'e':
    case 'E':
      return exponentText(size, precision ?? 6)
    case '':
      return precision === undefined
        ? floatText(size)
        : generalText(size, precision, { isFloat: true, hasZeros: isAlternate })
    default:
      return generalText(size, precision ?? 6, { hasZeros: isAlternate })
  }
}

/** Replaces the matches, and stops when the text becomes too long. */
function replaceBounded(
  text: string,
  pattern: RegExp,
  replace: (match: RegExpMatchArray) => string,
): string {
  let [output, end] = ['', 0]
  for (const match of text.matchAll(pattern)) {
    output = boundedText(output + text.slice(end, match.index) + replace(match))
    end = match.index + match[0].length
  }
  return boundedText(output + text.slice(end))
}
