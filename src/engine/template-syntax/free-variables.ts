import { globalNames } from './global-names.ts'
import { parse } from './parser.ts'
import type { Arguments, Block, Expression, Parameter, Statement, Target } from './syntax.ts'

/**
 * Returns the names that a template reads before it has certainly set them, so a value from outside can have an effect.
 * The functions that every template can call do not count.
 * @throws SyntaxError
 */
export function freeVariablesOf(template: string): string[] {
  const reader = new VariableReader()
  reader.readBlock(parse(template), new BoundNames())
  reader.readMacros()
  const functions: ReadonlySet<string> = new Set(globalNames)
  return [...reader.names].filter((name) => !functions.has(name))
}

/** The names that a part of a template has set, and those that the parts around it have set. */
class BoundNames {
  readonly own: Set<string>
  readonly #outer: BoundNames | undefined

  constructor(outer?: BoundNames, own: readonly string[] = []) {
    this.#outer = outer
    this.own = new Set(own)
  }

  has(name: string): boolean {
    return this.own.has(name) || (this.#outer?.has(name) ?? false)
  }
}

class VariableReader {
  readonly names = new Set<string>()
  /** Reads the bodies of macros. They run when a macro is called, so a name that is set after the macro is bound, too. */
  readonly #macros: (() => void)[] = []

  readBlock(block: Block, bound: BoundNames): void {
    for (const statement of block) this.#readStatement(statement, bound)
  }

  readMacros(): void {
    // The body of a macro can define another macro, which makes the list longer.
    for (const readMacro of this.#macros) readMacro()
  }

  #readStatement(statement: Statement, bound: BoundNames): void {
    switch (statement.type) {
      case 'text':
      case 'break':
      case 'continue':
        return
      case 'print':
        return this.#read(bound, statement.value)
      case 'if':
        return this.#readBranches(statement, bound)
      case 'for':
        return this.#readLoop(statement, bound)
      case 'set':
        this.#read(bound, statement.value)
        return bind(statement.target, bound)
      case 'set block':
        this.readBlock(statement.body, new BoundNames(bound))
        this.#read(bound, statement.filter)
        return bind(statement.target, bound)
      case 'macro':
        bound.own.add(statement.name)
        this.#macros.push(() => this.#readMacro(statement, bound))
        return
      case 'call block':
        this.#read(bound, statement.call)
        return this.#readMacro(statement, bound)
      case 'filter block':
        this.readBlock(statement.body, new BoundNames(bound))
        return this.#read(bound, statement.filter)
      case 'with': {
        const inner = new BoundNames(bound)
        for (const [target, value] of statement.values) {
          this.#read(bound, value)
          bind(target, inner)
        }
        return this.readBlock(statement.body, inner)
      }
    }
  }

  /** Reads the branches of an `if`. A name is bound after it only if every branch sets the name. */
  #readBranches({ branches, otherwise }: Of<'if'>, bound: BoundNames): void {
    const readBranch = (body: Block): ReadonlySet<string> => {
      const inner = new BoundNames(bound)
      this.readBlock(body, inner)
      return inner.own
    }
    const set = branches.map(({ test, body }) => {
      this.#read(bound, test)
      return readBranch(body)
    })
    for (const name of readBranch(otherwise))
      if (set.every((names) => names.has(name))) bound.own.add(name)
  }

  #readLoop({ target, items, test, body, otherwise }: Of<'for'>, bound: BoundNames): void {
    this.#read(bound, items)
    const inner = new BoundNames(bound)
    bind(target, inner)
    this.#read(inner, test)
    inner.own.add('loop')
    this.readBlock(body, inner)
    this.readBlock(otherwise, new BoundNames(bound))
  }

  #readMacro({ parameters, body }: MacroParts, bound: BoundNames): void {
    const inner = new BoundNames(bound, ['varargs', 'kwargs', 'caller'])
    for (const { name, otherwise } of parameters) {
      this.#read(inner, otherwise)
      inner.own.add(name)
    }
    this.readBlock(body, inner)
  }

  #read(bound: BoundNames, ...expressions: readonly (Expression | undefined)[]): void {
    for (const expression of expressions) {
      if (expression === undefined) continue
      if (expression.type !== 'name') this.#read(bound, ...partsOf(expression))
      else if (!bound.has(expression.name)) this.names.add(expression.name)
    }
  }
}

type Of<Type extends Statement['type']> = Extract<Statement, { type: Type }>
type MacroParts = { readonly parameters: readonly Parameter[]; readonly body: Block }

function bind(target: Target, bound: BoundNames): void {
  if (target.type === 'name') bound.own.add(target.name)
  else if (target.type === 'tuple') for (const item of target.items) bind(item, bound)
}

/** Returns the expressions within an expression. */
function partsOf(expression: Expression): readonly (Expression | undefined)[] {
  switch (expression.type) {
    case 'constant':
    case 'float':
    case 'name':
      return []
    case 'list':
    case 'tuple':
      return expression.items
    case 'dict':
      return expression.entries.flat()
    case 'attribute':
      return [expression.object]
    case 'item':
      return [expression.object, expression.key]
    case 'slice':
      return [expression.object, expression.start, expression.stop, expression.step]
    case 'call':
      return [expression.callee, ...valuesOf(expression.args)]
    case 'filter':
    case 'test':
      return [expression.operand, ...valuesOf(expression.args)]
    case 'not':
    case 'negative':
    case 'positive':
      return [expression.operand]
    case 'and':
    case 'or':
    case 'operation':
      return [expression.left, expression.right]
    case 'comparison':
      return [expression.first, ...expression.rest.map(({ operand }) => operand)]
    case 'conditional':
      return [expression.test, expression.whenTrue, expression.whenFalse]
  }
}

function valuesOf({ positional, named }: Arguments): Expression[] {
  return [...positional, ...named].map(({ value }) => value)
}
