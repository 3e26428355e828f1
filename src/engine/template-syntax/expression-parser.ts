import type { Arguments, Comparator, Comparison, Expression, Operator, Target } from './syntax.ts'
import type { Token } from './tokens.ts'

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ...(['true', 'True'] as const).map((name) => [name, true] as const),
  ...(['false', 'False'] as const).map((name) => [name, false] as const),
  ...(['none', 'None'] as const).map((name) => [name, null] as const),
])
/** Names that cannot begin the argument of a test: in `x is defined and y`, `defined` has no argument. */
const keywords = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'recursive'])
const comparators: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>='])

/** Reads expressions from tokens, with the precedence of Jinja. All methods throw SyntaxError. */
export class ExpressionParser {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get next(): Token | undefined {
    return this.#tokens[this.#at]
  }

  take(): Token {
    const token = this.next
    if (token === undefined) throw new SyntaxError('the template ends within a tag')
    this.#at += 1
    return token
  }

  /** Returns true if the next token is this name, operator or mark. */
  isAt(text: string): boolean {
    return this.next?.text === text && !['string', 'text'].includes(this.next.kind)
  }

  skip(text: string): boolean {
    if (!this.isAt(text)) return false
    this.#at += 1
    return true
  }

  expect(text: string): void {
    if (!this.skip(text))
      throw new SyntaxError(`expected ${text} and found ${this.next?.text ?? 'the end'}`)
  }

  takeName(): string {
    const token = this.take()
    if (token.kind !== 'name') throw new SyntaxError(`expected a name and found ${token.text}`)
    return token.text
  }

  /** Reads an expression, or several with commas between them, which make a tuple. */
  tuple(hasConditions = true): Expression {
    const one = () => (hasConditions ? this.expression() : this.#or())
    const first = one()
    if (!this.isAt(',')) return first
    const items = [first]
    while (this.skip(',')) {
      if (this.isAt('}}') || this.isAt('%}') || this.isAt(')')) break
      items.push(one())
    }
    return { type: 'tuple', items }
  }

  expression(): Expression {
    let value = this.#or()
    while (this.skip('if')) {
      const test = this.#or()
      const whenFalse = this.skip('else') ? this.expression() : undefined
      value = { type: 'conditional', test, whenTrue: value, whenFalse }
    }
    return value
  }

  target(): Target {
    const items = [this.#singleTarget()]
    let isTuple = false
    while (this.skip(',')) {
      isTuple = true
      if ((this.next?.kind !== 'name' && !this.isAt('(')) || this.isAt('in')) break
      items.push(this.#singleTarget())
    }
    const [only] = items
    return !isTuple && only !== undefined ? only : { type: 'tuple', items }
  }

  #singleTarget(): Target {
    if (this.skip('(')) {
      const inner = this.target()
      this.expect(')')
      return inner
    }
    const name = this.takeName()
    return this.skip('.')
      ? { type: 'attribute', object: name, name: this.takeName() }
      : { type: 'name', name }
  }

  #or(): Expression {
    let left = this.#and()
    while (this.skip('or')) left = { type: 'or', left, right: this.#and() }
    return left
  }

  #and(): Expression {
    let left = this.#not()
    while (this.skip('and')) left = { type: 'and', left, right: this.#not() }
    return left
  }

  #not(): Expression {
    return this.skip('not') ? { type: 'not', operand: this.#not() } : this.#comparison()
  }

  #comparison(): Expression {
    const first = this.#sum()
    const rest: Comparison[] = []
    for (;;) {
      const comparator = this.#comparator()
      if (comparator === undefined) break
      rest.push({ comparator, operand: this.#sum() })
    }
    return rest.length === 0 ? first : { type: 'comparison', first, rest }
  }

  #comparator(): Comparator | undefined {
    const text = this.next?.kind === 'operator' ? this.next.text : undefined
    if (text !== undefined && comparators.has(text)) return this.take().text as Comparator
    if (this.skip('in')) return 'in'
    const after = this.#tokens[this.#at + 1]
    if (this.isAt('not') && after?.kind === 'name' && after.text === 'in') {
      this.#at += 2
      return 'not in'
    }
    return undefined
  }

  #sum(): Expression {
    return this.#operation(['+', '-'], () =>
      this.#operation(['~'], () =>
        this.#operation(['*', '/', '//', '%'], () => this.#operation(['**'], () => this.#unary())),
      ),
    )
  }

  #operation(operators: readonly Operator[], operand: () => Expression): Expression {
    let left = operand()
    for (;;) {
      const operator = operators.find((text) => this.skip(text))
      if (operator === undefined) return left
      left = { type: 'operation', operator, left, right: operand() }
    }
  }

  #unary(hasFilters = true): Expression {
    let value: Expression
    if (this.skip('-')) value = { type: 'negative', operand: this.#unary(false) }
    else if (this.skip('+')) value = { type: 'positive', operand: this.#unary(false) }
    else value = this.#postfix(this.#primary())
    return hasFilters ? this.#filters(value) : value
  }

  #primary(): Expression {
    const token = this.take()
    switch (token.kind) {
      case 'name': {
        const value = constants.get(token.text)
        return value === undefined
          ? { type: 'name', name: token.text }
          : { type: 'constant', value }
      }
      case 'integer':
        return { type: 'constant', value: Number(token.text) }
      case 'float':
        return { type: 'float', value: Number(token.text) }
      case 'string': {
        let value = token.text
        while (this.next?.kind === 'string') value += this.take().text
        return { type: 'constant', value }
      }
      case 'operator':
        return this.#bracketed(token.text)
      case 'text':
      case 'mark':
        throw new SyntaxError(`unexpected ${token.text}`)
    }
  }

  #bracketed(open: string): Expression {
    if (open === '(') {
      if (this.skip(')')) return { type: 'tuple', items: [] }
      const value = this.tuple()
      this.expect(')')
      return value
    }
    if (open === '[') return { type: 'list', items: this.#until(']', () => this.expression()) }
    if (open !== '{') throw new SyntaxError(`unexpected ${open}`)
    const entries = this.#until('}', () => {
      const key = this.expression()
      this.expect(':')
      return [key, this.expression()] as const
    })
    return { type: 'dict', entries }
  }

  /** Reads items with commas between them, and the closing token. */
  #until<T>(close: string, item: () => T): T[] {
    const items: T[] = []
    while (!this.skip(close)) {
      if (items.length > 0) this.expect(',')
      if (this.skip(close)) break
      items.push(item())
    }
    return items
  }

  #postfix(start: Expression): Expression {
    let value = start
    for (;;) {
      if (this.skip('.')) {
        const { kind, text } = this.take()
        if (kind === 'name') value = { type: 'attribute', object: value, name: text }
        else if (kind === 'integer')
          value = { type: 'item', object: value, key: { type: 'constant', value: Number(text) } }
        else throw new SyntaxError(`expected a name after a dot and found ${text}`)
      } else if (this.skip('[')) value = this.#subscript(value)
      else if (this.isAt('(')) value = { type: 'call', callee: value, args: this.arguments() }
      else return value
    }
  }

  #subscript(object: Expression): Expression {
    const bound = () => (this.isAt(':') || this.isAt(']') ? undefined : this.expression())
    const start = bound()
    if (!this.skip(':')) {
      if (start === undefined) throw new SyntaxError('expected an index')
      this.expect(']')
      return { type: 'item', object, key: start }
    }
    const stop = bound()
    const step = this.skip(':') ? bound() : undefined
    this.expect(']')
    return { type: 'slice', object, start, stop, step }
  }

  #filters(start: Expression): Expression {
    let value = start
    for (;;) {
      if (this.skip('|')) value = this.filter(value)
      else if (this.skip('is')) value = this.#test(value)
      else if (this.isAt('(')) value = { type: 'call', callee: value, args: this.arguments() }
      else return value
    }
  }

  /** Reads a filter after its `|`. Without an operand, as in a filter block, it also reads the filters that follow. */
  filter(operand: Expression | undefined): Expression {
    const args = (): Arguments => (this.isAt('(') ? this.arguments() : noArguments)
    let value: Expression = { type: 'filter', operand, name: this.takeName(), args: args() }
    while (operand === undefined && this.skip('|'))
      value = { type: 'filter', operand: value, name: this.takeName(), args: args() }
    return value
  }

  #test(operand: Expression): Expression {
    const isNegated = this.skip('not')
    const name = this.takeName()
    const kind = this.next?.kind
    let args = noArguments
    if (this.isAt('(')) args = this.arguments()
    else if (
      ['integer', 'float', 'string'].includes(kind ?? '') ||
      this.isAt('[') ||
      this.isAt('{') ||
      (kind === 'name' && !keywords.has(this.next?.text ?? ''))
    )
      args = { positional: [{ value: this.#postfix(this.#primary()), spread: false }], named: [] }
    const test: Expression = { type: 'test', operand, name, args }
    return isNegated ? { type: 'not', operand: test } : test
  }

  arguments(): Arguments {
    this.expect('(')
    const positional: Arguments['positional'][number][] = []
    const named: Arguments['named'][number][] = []
    this.#until(')', () => {
      const after = this.#tokens[this.#at + 1]
      if (this.skip('**')) named.push({ name: undefined, value: this.expression() })
      else if (this.skip('*')) positional.push({ value: this.expression(), spread: true })
      else if (this.next?.kind === 'name' && after?.kind === 'operator' && after.text === '=') {
        const name = this.takeName()
        this.expect('=')
        named.push({ name, value: this.expression() })
      } else positional.push({ value: this.expression(), spread: false })
    })
    return { positional, named }
  }
}

const noArguments: Arguments = { positional: [], named: [] }
