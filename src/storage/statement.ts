import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  type Expression,
  Kysely,
  type RawBuilder,
  sql,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Tables } from './tables.ts'

export type SqlValue = string | number | null

/** SQL text and the values of its placeholders, in a form that can cross threads. */
export type Statement = { sql: string; parameters: readonly SqlValue[] }

/** Builds queries without running them. */
export const queries = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** Makes a query from raw SQL, for queries that would be hard to read as Kysely chains. */
export function rawQuery<Row>(query: RawBuilder<unknown>): Compilable<Row> {
  return { compile: () => query.compile(queries) as CompiledQuery<Row> }
}

export function toStatement(query: Compilable): Statement {
  return ofCompiled(query.compile())
}

export function ofCompiled({ sql, parameters }: CompiledQuery): Statement {
  return { sql, parameters: parameters.map(toSqlValue) }
}

/**
 * Builds and compiles a query once, for hot paths; each use only fills in the values. In the query, `value('x')` is the
 * placeholder of the value named `x`.
 */
export function template<Values extends Record<string, SqlValue>>(
  build: (value: <Name extends keyof Values & string>(name: Name) => Values[Name]) => Compilable,
): (values: Values) => Statement {
  // Kysely passes values of any type through to the parameters, so a placeholder can take the place of a value.
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

/** Returns a case-insensitive condition that a column contains a text. */
export function containsText(column: Expression<unknown>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`lower(${column}) like lower(${pattern}) escape '\\'`
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

function toSqlValue(value: unknown): SqlValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`the database cannot store a ${typeof value}`)
}
