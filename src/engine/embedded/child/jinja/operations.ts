import { boundedCount } from './arguments.ts'
import { printf } from './format.ts'
import type { Comparator, Operator } from '../../../template-syntax/syntax.ts'
import {
  assertListLength,
  boundedText,
  compare,
  contains,
  Float,
  isEqual,
  isList,
  numberOf,
  TemplateError,
  textOf,
  Tuple,
  typeName,
  type Value,
} from './values/values.ts'

/** Computes `left operator right` as Python does. @throws TemplateError */
export function operate(operator: Operator, left: Value, right: Value): Value {
  if (operator === '~') return boundedText(textOf(left) + textOf(right))
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined && b !== undefined) return calculate(operator, a, b, left, right)
  if (operator === '+') {
    if (typeof left === 'string' && typeof right === 'string') return boundedText(left + right)
    // Adds nothing for a variable that is not set. Python refuses it, but a tool may lack a description.
    if (typeof left === 'string' && right === undefined) return left
    if (left === undefined && typeof right === 'string') return right
    if (isList(left) && isList(right)) return added(left, right)
    if (left instanceof Tuple && right instanceof Tuple)
      return new Tuple(added(left.items, right.items))
  }
  if (operator === '*') {
    if (b !== undefined && isRepeatable(left)) return repeated(left, b)
    if (a !== undefined && isRepeatable(right)) return repeated(right, a)
  }
  if (operator === '%' && typeof left === 'string') return printf(left, right)
  throw new TemplateError(
    `${operator} is not possible with a ${typeName(left)} and a ${typeName(right)}`,
  )
}

function added(left: readonly Value[], right: readonly Value[]): readonly Value[] {
  assertListLength(left.length + right.length)
  return [...left, ...right]
}

type Repeatable = string | Tuple | readonly Value[]

function isRepeatable(value: Value): value is Repeatable {
  return typeof value === 'string' || value instanceof Tuple || isList(value)
}

function repeated(value: Repeatable, count: number): Value {
  const times = boundedCount(count)
  if (typeof value === 'string') return boundedText(value.repeat(times))
  if (value instanceof Tuple) return new Tuple(repeatedItems(value.items, times))
  return repeatedItems(value, times)
}

function repeatedItems(items: readonly Value[], times: number): readonly Value[] {
  assertListLength(items.length * times)
  return Array.from({ length: items.length === 0 ? 0 : times }, () => items).flat()
}

function calculate(operator: Operator, a: number, b: number, left: Value, right: Value): Value {
  if (b === 0 && ['/', '//', '%'].includes(operator)) throw new TemplateError('division by zero')
  const isFloat = left instanceof Float || right instanceof Float
  const wrap = (number: number) => (isFloat ? new Float(number) : number)
  switch (operator) {
    case '+':
      return wrap(a + b)
    case '-':
      return wrap(a - b)
    case '*':
      return wrap(a * b)
    case '/':
      return new Float(a / b)
    case '//':
      return wrap(Math.floor(a / b))
    case '%':
      return wrap(a - b * Math.floor(a / b))
    case '**':
      return b < 0 ? new Float(a ** b) : wrap(a ** b)
    case '~':
      return textOf(left) + textOf(right)
  }
}

/** @throws TemplateError when the values have no order */
export function holds(comparator: Comparator, left: Value, right: Value): boolean {
  switch (comparator) {
    case '==':
      return isEqual(left, right)
    case '!=':
      return !isEqual(left, right)
    case 'in':
      return contains(right, left)
    case 'not in':
      return !contains(right, left)
    case '<':
      return compare(left, right) < 0
    case '<=':
      return compare(left, right) <= 0
    case '>':
      return compare(left, right) > 0
    case '>=':
      return compare(left, right) >= 0
  }
}
