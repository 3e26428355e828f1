/** An expression of a template. */
export type Expression =
  | { readonly type: 'constant'; readonly value: string | number | boolean | null }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'list' | 'tuple'; readonly items: readonly Expression[] }
  | { readonly type: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
  | { readonly type: 'attribute'; readonly object: Expression; readonly name: string }
  | { readonly type: 'item'; readonly object: Expression; readonly key: Expression }
  | {
      readonly type: 'slice'
      readonly object: Expression
      readonly start: Expression | undefined
      readonly stop: Expression | undefined
      readonly step: Expression | undefined
    }
  | { readonly type: 'call'; readonly callee: Expression; readonly args: Arguments }
  | {
      readonly type: 'filter' | 'test'
      /** Absent in a filter block: the operand is the block's text. */
      readonly operand: Expression | undefined
      readonly name: string
      readonly args: Arguments
    }
  | { readonly type: 'not' | 'negative' | 'positive'; readonly operand: Expression }
  | { readonly type: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly type: 'operation'
      readonly operator: Operator
      readonly left: Expression
      readonly right: Expression
    }
  | {
      readonly type: 'comparison'
      readonly first: Expression
      readonly rest: readonly Comparison[]
    }
  | {
      readonly type: 'conditional'
      readonly test: Expression
      readonly whenTrue: Expression
      readonly whenFalse: Expression | undefined
    }

export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**' | '~'
export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'
export type Comparison = { readonly comparator: Comparator; readonly operand: Expression }

export type Arguments = {
  /** `spread`: the argument is written with `*`. */
  readonly positional: readonly { readonly value: Expression; readonly spread: boolean }[]
  /** Without a name: the argument is written with `**`. */
  readonly named: readonly { readonly name: string | undefined; readonly value: Expression }[]
}

/** Where `for` and `set` put a value. */
export type Target =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'attribute'; readonly object: string; readonly name: string }
  | { readonly type: 'tuple'; readonly items: readonly Target[] }

export type Parameter = { readonly name: string; readonly otherwise: Expression | undefined }

export type Statement =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'print'; readonly value: Expression }
  | {
      readonly type: 'if'
      readonly branches: readonly { readonly test: Expression; readonly body: Block }[]
      readonly otherwise: Block
    }
  | {
      readonly type: 'for'
      readonly target: Target
      readonly items: Expression
      readonly test: Expression | undefined
      readonly recursive: boolean
      readonly body: Block
      readonly otherwise: Block
    }
  | { readonly type: 'set'; readonly target: Target; readonly value: Expression }
  | {
      readonly type: 'set block'
      readonly target: Target
      readonly filter: Expression | undefined
      readonly body: Block
    }
  | {
      readonly type: 'macro'
      readonly name: string
      readonly parameters: readonly Parameter[]
      readonly body: Block
    }
  | {
      readonly type: 'call block'
      readonly call: Expression
      readonly parameters: readonly Parameter[]
      readonly body: Block
    }
  | { readonly type: 'filter block'; readonly filter: Expression; readonly body: Block }
  | {
      readonly type: 'with'
      readonly values: readonly (readonly [Target, Expression])[]
      readonly body: Block
    }
  | { readonly type: 'break' | 'continue' }

export type Block = readonly Statement[]
