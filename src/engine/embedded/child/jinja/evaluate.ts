import { CallArguments, joined } from './arguments.ts'
import { filters } from './filters.ts'
import { methodOf } from './methods.ts'
import { holds, operate } from './operations.ts'
import { predicates } from './predicates.ts'
import type { Scope } from './scope.ts'
import type { Arguments, Expression } from '../../../template-syntax/syntax.ts'
import {
  Callable,
  Float,
  isDict,
  isList,
  isTrue,
  keyOf,
  LoopState,
  Namespace,
  numberOf,
  requireItems,
  TemplateError,
  textOf,
  Tuple,
  typeName,
  type Value,
} from './values/values.ts'

/** Returns the value of an expression. @throws TemplateError */
export function evaluate(expression: Expression, scope: Scope): Value {
  switch (expression.type) {
    case 'constant':
      return expression.value
    case 'float':
      return new Float(expression.value)
    case 'name':
      return scope.get(expression.name)
    case 'list':
      return expression.items.map((item) => evaluate(item, scope))
    case 'tuple':
      return new Tuple(expression.items.map((item) => evaluate(item, scope)))
    case 'dict':
      return new Map(
        expression.entries.map(([key, value]) => [
          keyOf(evaluate(key, scope)),
          evaluate(value, scope),
        ]),
      )
    case 'attribute':
      return attributeOf(evaluate(expression.object, scope), expression.name)
    case 'item':
      return itemOf(evaluate(expression.object, scope), evaluate(expression.key, scope))
    case 'slice':
      return slice(expression, scope)
    case 'call':
      return callOf(expression, scope)
    case 'filter':
    case 'test':
      return applied(expression, evaluateOptional(expression.operand, scope), scope)
    case 'not':
      return !isTrue(evaluate(expression.operand, scope))
    case 'negative':
      return operate('*', evaluate(expression.operand, scope), -1)
    case 'positive':
      return evaluate(expression.operand, scope)
    case 'and': {
      const left = evaluate(expression.left, scope)
      return isTrue(left) ? evaluate(expression.right, scope) : left
    }
    case 'or': {
      const left = evaluate(expression.left, scope)
      return isTrue(left) ? left : evaluate(expression.right, scope)
    }
    case 'operation':
      return operate(
        expression.operator,
        evaluate(expression.left, scope),
        evaluate(expression.right, scope),
      )
    case 'comparison':
      return compareAll(expression, scope)
    case 'conditional':
      return isTrue(evaluate(expression.test, scope))
        ? evaluate(expression.whenTrue, scope)
        : evaluateOptional(expression.whenFalse, scope)
  }
}

function evaluateOptional(expression: Expression | undefined, scope: Scope): Value {
  return expression && evaluate(expression, scope)
}

type Of<Type extends Expression['type']> = Extract<Expression, { type: Type }>

function compareAll({ first, rest }: Of<'comparison'>, scope: Scope): boolean {
  let left = evaluate(first, scope)
  for (const { comparator, operand } of rest) {
    const right = evaluate(operand, scope)
    if (!holds(comparator, left, right)) return false
    left = right
  }
  return true
}

function callOf({ callee, args }: Of<'call'>, scope: Scope): Value {
  const value =
    callee.type === 'attribute'
      ? methodOrMember(evaluate(callee.object, scope), callee.name)
      : evaluate(callee, scope)
  const called = value instanceof LoopState ? value.recursion : value
  if (!(called instanceof Callable)) {
    const name = 'name' in callee ? callee.name : 'it'
    throw new TemplateError(`${name} is a ${typeName(called)}, not a function`)
  }
  return call(called, args, scope)
}

/** Calls a function. `further` holds named arguments that `args` does not contain, such as `caller`. */
export function call(
  called: Callable,
  args: Arguments,
  scope: Scope,
  further: readonly (readonly [string, Value])[] = [],
): Value {
  const { positional, named } = readArguments(args, scope)
  return called.call(positional, new Map([...named, ...further]))
}

function readArguments({ positional, named }: Arguments, scope: Scope): CallArguments {
  if (positional.length === 0 && named.length === 0) return noArguments
  const values = positional.flatMap(({ value, spread }) => {
    const evaluated = evaluate(value, scope)
    return spread ? requireItems(evaluated) : [evaluated]
  })
  const byName = new Map<string, Value>()
  for (const { name, value } of named) {
    const evaluated = evaluate(value, scope)
    if (name !== undefined) byName.set(name, evaluated)
    else if (isDict(evaluated))
      for (const [key, member] of evaluated) byName.set(textOf(key), member)
  }
  return new CallArguments(values, byName)
}

const noArguments = new CallArguments([])

/** Applies a filter or test to an operand that is already evaluated, such as the text of a filter block. */
export function applied(expression: Of<'filter' | 'test'>, operand: Value, scope: Scope): Value {
  const { type, name } = expression
  const args = readArguments(expression.args, scope)
  if (type === 'test') {
    const predicate = predicates.get(name)
    if (predicate === undefined) throw new TemplateError(`the test ${name} is unknown`)
    return predicate(operand, args)
  }
  const filter = filters.get(name)
  if (filter === undefined) throw new TemplateError(`the filter ${name} is unknown`)
  return filter(operand, args, itemOf)
}

/** Returns the function that `object.name()` calls. A method takes precedence over a member, as in Python. */
function methodOrMember(object: Value, name: string): Value {
  return methodOf(object, name) ?? attributeOf(object, name)
}

/**
 * Returns `object.name`. A member takes precedence over a method. In Python the method does, so that a
 * template cannot read a schema's member `items`. A variable that is not set has only unset members.
 */
function attributeOf(object: Value, name: string): Value {
  if (object instanceof Namespace) return object.members.get(name)
  if (object instanceof LoopState) return object.member(name)
  if (object instanceof Tuple) return object.member(name) ?? methodOf(object, name)
  return isDict(object) && object.has(name) ? object.get(name) : methodOf(object, name)
}

/** Returns `object[key]`. A member takes precedence over a method. */
function itemOf(object: Value, key: Value): Value {
  if (isDict(object) && object.has(keyOf(key))) return object.get(keyOf(key))
  if (typeof key === 'string') return attributeOf(object, key)
  const index = numberOf(key)
  if (index === undefined) return undefined
  if (object instanceof Tuple) return object.items.at(index)
  if (isList(object)) return object.at(index)
  return typeof object === 'string' ? Array.from(object).at(index) : undefined
}

function slice({ object, start, stop, step }: Of<'slice'>, scope: Scope): Value {
  const value = evaluate(object, scope)
  const items = requireItems(value)
  const bound = (expression: Expression | undefined) => {
    const evaluated = evaluateOptional(expression, scope)
    return evaluated === null ? undefined : numberOf(evaluated)
  }
  const part = sliced(items, bound(start), bound(stop), bound(step) ?? 1)
  if (typeof value === 'string') return joined(part, '')
  return value instanceof Tuple ? new Tuple(part) : part
}

function sliced(
  items: readonly Value[],
  start: number | undefined,
  stop: number | undefined,
  step: number,
): readonly Value[] {
  if (step === 0) throw new TemplateError('the step of a slice is zero')
  if (step === 1) return items.slice(start, stop)
  const [lowest, highest] = step > 0 ? [0, items.length] : [-1, items.length - 1]
  const clamp = (bound: number | undefined, otherwise: number) => {
    if (bound === undefined) return otherwise
    const index = bound < 0 ? bound + items.length : bound
    return Math.min(Math.max(index, lowest), highest)
  }
  const [begin, end] =
    step > 0
      ? [clamp(start, lowest), clamp(stop, highest)]
      : [clamp(start, highest), clamp(stop, lowest)]
  const part: Value[] = []
  for (let index = begin; step > 0 ? index < end : index > end; index += step)
    part.push(items[index])
  return part
}
