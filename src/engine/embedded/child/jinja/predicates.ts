import type { CallArguments } from './arguments.ts'
import {
  Callable,
  compare,
  contains,
  Float,
  isDict,
  isEqual,
  isList,
  itemsOf,
  numberOf,
  textOf,
  Tuple,
  type Value,
} from './values/values.ts'

type Predicate = (value: Value, args: CallArguments) => boolean

const isInteger = (value: Value) => typeof value === 'number' || typeof value === 'bigint'
const isSequence = (value: Value) =>
  typeof value === 'string' || isList(value) || value instanceof Tuple || isDict(value)
const other = (args: CallArguments) => args.get(0, 'other')
const divisible = (value: Value, by: number) => (numberOf(value) ?? NaN) % by === 0

/** The tests of Jinja (`is defined`). */
export const predicates: ReadonlyMap<string, Predicate> = new Map<string, Predicate>([
  ['defined', (value) => value !== undefined],
  ['undefined', (value) => value === undefined],
  ['none', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['integer', isInteger],
  ['float', (value) => value instanceof Float],
  ['number', (value) => numberOf(value) !== undefined],
  ['string', (value) => typeof value === 'string'],
  ['mapping', isDict],
  ['sequence', isSequence],
  ['iterable', (value) => itemsOf(value) !== undefined],
  ['callable', (value) => value instanceof Callable],
  ['lower', (value) => textOf(value) === textOf(value).toLowerCase()],
  ['upper', (value) => textOf(value) === textOf(value).toUpperCase()],
  ['odd', (value) => !divisible(value, 2)],
  ['even', (value) => divisible(value, 2)],
  ['divisibleby', (value, args) => divisible(value, args.number(0, 'num'))],
  ['in', (value, args) => contains(args.get(0, 'seq'), value)],
  ['sameas', (value, args) => value === other(args)],
  ...named(['eq', 'equalto', '=='], (value, args) => isEqual(value, other(args))),
  ...named(['ne', '!='], (value, args) => !isEqual(value, other(args))),
  ...named(['lt', 'lessthan', '<'], (value, args) => compare(value, other(args)) < 0),
  ...named(['le', '<='], (value, args) => compare(value, other(args)) <= 0),
  ...named(['gt', 'greaterthan', '>'], (value, args) => compare(value, other(args)) > 0),
  ...named(['ge', '>='], (value, args) => compare(value, other(args)) >= 0),
])

function named(names: readonly string[], predicate: Predicate): [string, Predicate][] {
  return names.map((name) => [name, predicate])
}
