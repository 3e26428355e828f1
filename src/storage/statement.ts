import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from './tables.ts'

export type SqlValue = string | number | null

/** Constant text and the values for its placeholders; what crosses to the storage thread. */
export type Statement = { sql: string; parameters: readonly SqlValue[] }

/** Builds queries, runs none. */
export const queries = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

export function toStatement(query: Compilable): Statement {
  return ofCompiled(query.compile())
}

export function ofCompiled({ sql, parameters }: CompiledQuery): Statement {
  return { sql, parameters: parameters.map(toSqlValue) }
}

/**
 * For hot paths: builds and compiles the query once and only fills in the values at each use.
 * `value('x')` stands in the query for the `x` that a use passes.
 */
export function template<Values extends Record<string, SqlValue>>(
  build: (value: <Name extends keyof Values & string>(name: Name) => Values[Name]) => Compilable,
): (values: Values) => Statement {
  // Kysely carries a value of any kind unseen to the parameters, so a placeholder may pose as one.
  const compiled = build((name) => new Placeholder(name) as never).compile()
  const { sql } = compiled
  const slots = compiled.parameters.map((parameter) =>
    parameter instanceof Placeholder ? parameter : { constant: toSqlValue(parameter) },
  )
  return (values) => ({
    sql,
    parameters: slots.map((slot) =>
      slot instanceof Placeholder ? (values[slot.name] ?? null) : slot.constant,
    ),
  })
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

function toSqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`a ${typeof value} is not a value of the database`)
}
