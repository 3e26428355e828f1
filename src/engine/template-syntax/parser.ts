import { ExpressionParser } from './expression-parser.ts'
import type { Block, Parameter, Statement } from './syntax.ts'
import { tokenize } from './tokens.ts'

/** Parses a template. @throws SyntaxError */
export function parse(template: string): Block {
  const parser = new StatementParser(new ExpressionParser(tokenize(template)))
  return parser.template()
}

class StatementParser {
  readonly #code: ExpressionParser

  constructor(code: ExpressionParser) {
    this.#code = code
  }

  template(): Block {
    const { body, end } = this.#block([])
    if (end !== undefined) throw new SyntaxError(`unexpected ${end}`)
    return body
  }

  /** Reads statements up to a tag in `ends`. Consumes that tag up to and including its name. */
  #block(ends: readonly string[]): { body: Block; end: string | undefined } {
    const body: Statement[] = []
    while (this.#code.next !== undefined) {
      const { kind, text } = this.#code.take()
      if (kind === 'text') body.push({ type: 'text', text })
      else if (text === '{{') {
        body.push({ type: 'print', value: this.#code.tuple() })
        this.#code.expect('}}')
      } else {
        const name = this.#code.takeName()
        if (ends.includes(name)) return { body, end: name }
        body.push(...this.#statement(name))
      }
    }
    if (ends.length > 0) throw new SyntaxError(`expected ${ends.join(' or ')}`)
    return { body, end: undefined }
  }

  #statement(name: string): readonly Statement[] {
    switch (name) {
      case 'if':
        return [this.#if()]
      case 'for':
        return [this.#for()]
      case 'set':
        return [this.#set()]
      case 'macro':
        return [this.#macro()]
      case 'call':
        return [this.#callBlock()]
      case 'filter':
        return [this.#filterBlock()]
      case 'with':
        return [this.#with()]
      case 'generation':
        // This tag only marks the replies in training data. It writes nothing itself.
        this.#endTag()
        return this.#body('endgeneration')
      case 'break':
      case 'continue':
        this.#endTag()
        return [{ type: name }]
      case 'do': {
        const value = this.#code.tuple()
        this.#endTag()
        const silent = { type: 'set', target: { type: 'name', name: '' }, value } as const
        return [silent]
      }
      default:
        throw new SyntaxError(`the tag ${name} is not supported`)
    }
  }

  #endTag(): void {
    this.#code.expect('%}')
  }

  #body(end: string): Block {
    const { body } = this.#block([end])
    this.#endTag()
    return body
  }

  #if(): Statement {
    const branches = []
    let end: string | undefined = 'elif'
    let otherwise: Block = []
    while (end === 'elif') {
      const test = this.#code.tuple()
      this.#endTag()
      const block = this.#block(['elif', 'else', 'endif'])
      branches.push({ test, body: block.body })
      end = block.end
    }
    if (end === 'else') {
      this.#endTag()
      otherwise = this.#block(['endif']).body
    }
    this.#endTag()
    return { type: 'if', branches, otherwise }
  }

  #for(): Statement {
    const target = this.#code.target()
    this.#code.expect('in')
    const items = this.#code.tuple(false)
    const test = this.#code.skip('if') ? this.#code.expression() : undefined
    const recursive = this.#code.skip('recursive')
    this.#endTag()
    const { body, end } = this.#block(['else', 'endfor'])
    let otherwise: Block = []
    if (end === 'else') {
      this.#endTag()
      otherwise = this.#block(['endfor']).body
    }
    this.#endTag()
    return { type: 'for', target, items, test, recursive, body, otherwise }
  }

  #set(): Statement {
    const target = this.#code.target()
    if (this.#code.skip('=')) {
      const value = this.#code.tuple()
      this.#endTag()
      return { type: 'set', target, value }
    }
    const filter = this.#code.skip('|') ? this.#code.filter(undefined) : undefined
    this.#endTag()
    return { type: 'set block', target, filter, body: this.#body('endset') }
  }

  #macro(): Statement {
    const name = this.#code.takeName()
    const parameters = this.#parameters()
    this.#endTag()
    return { type: 'macro', name, parameters, body: this.#body('endmacro') }
  }

  #callBlock(): Statement {
    const parameters = this.#code.isAt('(') ? this.#parameters() : []
    const call = this.#code.expression()
    this.#endTag()
    return { type: 'call block', call, parameters, body: this.#body('endcall') }
  }

  #filterBlock(): Statement {
    const filter = this.#code.filter(undefined)
    this.#endTag()
    return { type: 'filter block', filter, body: this.#body('endfilter') }
  }

  #with(): Statement {
    const values = []
    while (!this.#code.isAt('%}')) {
      if (values.length > 0) this.#code.expect(',')
      const name = this.#code.takeName()
      this.#code.expect('=')
      values.push([{ type: 'name', name }, this.#code.expression()] as const)
    }
    this.#endTag()
    return { type: 'with', values, body: this.#body('endwith') }
  }

  #parameters(): Parameter[] {
    const parameters: Parameter[] = []
    this.#code.expect('(')
    while (!this.#code.skip(')')) {
      if (parameters.length > 0) this.#code.expect(',')
      const name = this.#code.takeName()
      const otherwise = this.#code.skip('=') ? this.#code.expression() : undefined
      parameters.push({ name, otherwise })
    }
    return parameters
  }
}
