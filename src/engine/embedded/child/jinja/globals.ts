import { globalNames, type GlobalName } from '../../../template-syntax/global-names.ts'
import { boundedCount, CallArguments } from './arguments.ts'
import { Scope } from './scope.ts'
import { strftime } from './values/strftime.ts'
import {
  Callable,
  isDict,
  keyOf,
  Namespace,
  requireItems,
  TemplateError,
  textOf,
  type Value,
} from './values/values.ts'

const functions: Readonly<Record<GlobalName, Callable>> = {
  range: new Callable((positional) => range(positional)),
  dict: new Callable(([initial], named) => new Map([...membersOf(initial), ...named])),
  namespace: new Callable(([initial], named) => namespaceOf(initial, named)),
  raise_exception: new Callable(([message]) => {
    throw new TemplateError(textOf(message))
  }),
  strftime_now: new Callable((positional) =>
    strftime(new Date(), new CallArguments(positional).text(0, 'format')),
  ),
  cycler: new Callable((items) => cycler(items)),
  joiner: new Callable(([separator]) => joiner(separator)),
}

/** The functions that chat templates can call. */
export const globals = new Scope()
for (const name of globalNames) globals.set(name, functions[name])

function range(positional: readonly Value[]): readonly number[] {
  const args = new CallArguments(positional)
  const hasStart = positional.length > 1
  const start = hasStart ? args.number(0, 'start') : 0
  const stop = args.number(hasStart ? 1 : 0, 'stop')
  const step = args.number(2, 'step', 1)
  if (step === 0) throw new TemplateError('the step of a range is zero')
  const length = boundedCount(Math.ceil((stop - start) / step))
  return Array.from({ length }, (_, index) => start + index * step)
}

function namespaceOf(initial: Value, named: ReadonlyMap<string, Value>): Namespace {
  const members = membersOf(initial).map(([name, member]) => [textOf(name), member] as const)
  return new Namespace(new Map([...members, ...named]))
}

/** Returns the members of a dict, or of a list of pairs. */
function membersOf(initial: Value): readonly (readonly [Value, Value])[] {
  if (isDict(initial)) return [...initial]
  return requireItems(initial).map((pair) => {
    const items = requireItems(pair)
    if (items.length !== 2) throw new TemplateError(`a dict needs pairs, not ${items.length} items`)
    return [keyOf(items[0]), items[1]]
  })
}

/** Returns an object whose function `next` returns the items in turn. */
function cycler(items: readonly Value[]): Namespace {
  if (items.length === 0) throw new TemplateError('a cycler needs items')
  let index = 0
  const members = new Map<string, Value>()
  const moveTo = (next: number) => {
    index = next % items.length
    members.set('current', items[index])
  }
  const next = () => {
    const item = items[index]
    moveTo(index + 1)
    return item
  }
  const reset = () => {
    moveTo(0)
    return null
  }
  reset()
  members.set('next', new Callable(next)).set('reset', new Callable(reset))
  return new Namespace(members)
}

/** Returns a function that returns the separator at each call but the first. */
function joiner(separator: Value): Callable {
  let isFirst = true
  return new Callable(() => {
    const text = isFirst ? '' : (separator ?? ', ')
    isFirst = false
    return text
  })
}
