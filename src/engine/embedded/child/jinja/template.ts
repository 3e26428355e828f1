import { applied, call, evaluate } from './evaluate.ts'
import { globals } from './globals.ts'
import { parse } from '../../../template-syntax/parser.ts'
import { Scope } from './scope.ts'
import type {
  Block,
  Expression,
  Parameter,
  Statement,
  Target,
} from '../../../template-syntax/syntax.ts'
import {
  boundedText,
  Callable,
  isEqual,
  isTrue,
  LoopState,
  Namespace,
  requireItems,
  TemplateError,
  textOf,
  toValue,
  Tuple,
  typeName,
  type Value,
} from './values/values.ts'

/** A Jinja template with the extensions of chat templates, read as Python's Jinja reads it. */
export class JinjaTemplate {
  readonly #body: Block

  /** @throws SyntaxError */
  constructor(source: string) {
    this.#body = parse(source)
  }

  /** @throws Error with the template's message, when it raises an exception or has a fault */
  render(variables: Readonly<Record<string, unknown>>): string {
    const scope = new Scope(globals)
    for (const [name, value] of Object.entries(variables)) scope.set(name, toValue(value))
    return renderedText(this.#body, scope)
  }
}

/** A tag that ended an iteration of a loop early. */
type Jump = 'break' | 'continue' | undefined
type Output = { text: string }

function renderedText(block: Block, scope: Scope): string {
  const output: Output = { text: '' }
  run(block, scope, output)
  return output.text
}

function run(block: Block, scope: Scope, output: Output): Jump {
  for (const statement of block) {
    const jump = runStatement(statement, scope, output)
    if (jump !== undefined) return jump
  }
  return undefined
}

function write(output: Output, text: string): void {
  output.text = boundedText(output.text + text)
}

function runStatement(statement: Statement, scope: Scope, output: Output): Jump {
  switch (statement.type) {
    case 'text':
      write(output, statement.text)
      return
    case 'print':
      write(output, textOf(evaluate(statement.value, scope)))
      return
    case 'if': {
      const branch = statement.branches.find(({ test }) => isTrue(evaluate(test, scope)))
      return run(branch?.body ?? statement.otherwise, scope, output)
    }
    case 'for':
      runLoop(statement, evaluate(statement.items, scope), scope, output, 0)
      return
    case 'set':
      assign(statement.target, evaluate(statement.value, scope), scope)
      return
    case 'set block': {
      const text = renderedText(statement.body, new Scope(scope))
      const { filter } = statement
      assign(statement.target, filter ? filtered(filter, text, scope) : text, scope)
      return
    }
    case 'macro':
      scope.set(statement.name, macro(statement.parameters, statement.body, scope))
      return
    case 'call block':
      write(output, textOf(runCallBlock(statement, scope)))
      return
    case 'filter block': {
      const text = renderedText(statement.body, new Scope(scope))
      write(output, textOf(filtered(statement.filter, text, scope)))
      return
    }
    case 'with': {
      const inner = new Scope(scope)
      for (const [target, value] of statement.values) assign(target, evaluate(value, scope), inner)
      return run(statement.body, inner, output)
    }
    case 'break':
    case 'continue':
      return statement.type
  }
}

type Of<Type extends Statement['type']> = Extract<Statement, { type: Type }>

function runLoop(
  loop: Of<'for'>,
  iterated: Value,
  outer: Scope,
  output: Output,
  depth: number,
): void {
  const { test } = loop
  const scopeOf = (item: Value) => {
    const scope = new Scope(outer)
    assign(loop.target, item, scope)
    return scope
  }
  const all = requireItems(iterated)
  const items = test ? all.filter((item) => isTrue(evaluate(test, scopeOf(item)))) : all
  const nested = loop.recursive ? nestedLoop(loop, outer, depth) : undefined
  const changed = changeDetector()
  for (const [index, item] of items.entries()) {
    const scope = scopeOf(item)
    scope.set('loop', new LoopState(items, index, depth, nested, changed))
    if (run(loop.body, scope, output) === 'break') break
  }
  if (items.length === 0) run(loop.otherwise, new Scope(outer), output)
}

/** Returns a function that returns true if its arguments differ from those of the call before. */
function changeDetector(): Callable {
  let last: readonly Value[] | undefined
  return new Callable((values) => {
    const isSame = last !== undefined && isEqual(values, last)
    last = values
    return !isSame
  })
}

function nestedLoop(loop: Of<'for'>, outer: Scope, depth: number): Callable {
  return new Callable(([items]) => {
    const output: Output = { text: '' }
    runLoop(loop, items, outer, output, depth + 1)
    return output.text
  })
}

function assign(target: Target, value: Value, scope: Scope): void {
  switch (target.type) {
    case 'name':
      scope.set(target.name, value)
      return
    case 'attribute': {
      const object = scope.get(target.object)
      if (!(object instanceof Namespace))
        throw new TemplateError(`${target.object} is a ${typeName(object)}, not a namespace`)
      object.members.set(target.name, value)
      return
    }
    case 'tuple': {
      const items = requireItems(value)
      if (items.length !== target.items.length)
        throw new TemplateError(`${items.length} values do not fit ${target.items.length} names`)
      for (const [index, inner] of target.items.entries()) assign(inner, items[index], scope)
    }
  }
}

function filtered(filter: Expression, text: string, scope: Scope): Value {
  if (filter.type !== 'filter') return text
  const operand = filter.operand ? filtered(filter.operand, text, scope) : text
  return applied(filter, operand, scope)
}

function macro(parameters: readonly Parameter[], body: Block, outer: Scope): Callable {
  const names = new Set(parameters.map(({ name }) => name))
  return new Callable((positional, named) => {
    const scope = new Scope(outer)
    for (const [index, { name, otherwise }] of parameters.entries()) {
      const isGiven = index < positional.length || named.has(name)
      const given = index < positional.length ? positional[index] : named.get(name)
      scope.set(name, isGiven ? given : otherwise && evaluate(otherwise, scope))
    }
    scope.set('varargs', new Tuple(positional.slice(parameters.length)))
    scope.set(
      'kwargs',
      new Map([...named].filter(([name]) => !names.has(name) && name !== 'caller')),
    )
    if (!names.has('caller')) scope.set('caller', named.get('caller'))
    return renderedText(body, scope)
  })
}

function runCallBlock(
  { call: expression, parameters, body }: Of<'call block'>,
  scope: Scope,
): Value {
  if (expression.type !== 'call') throw new TemplateError('a call block needs a call')
  const called = evaluate(expression.callee, scope)
  if (!(called instanceof Callable)) throw new TemplateError('a call block needs a macro')
  return call(called, expression.args, scope, [['caller', macro(parameters, body, scope)]])
}
