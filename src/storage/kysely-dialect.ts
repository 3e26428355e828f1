import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database } from './database.ts'
import { ofCompiled, type Statement } from './statement.ts'

/**
 * Returns a dialect that runs a library's queries on the storage thread. Each statement is its own transaction;
 * transactions over several statements throw.
 * @param stepsOfInsert returns statements to write in the same unit as an insert into the table
 */
export function databaseDialect(
  database: Database,
  stepsOfInsert: (table: string) => readonly Statement[],
): Dialect {
  const connection: DatabaseConnection = {
    executeQuery: async <Result>(query: CompiledQuery) =>
      // The query determines the columns, so the rows have its result type.
      (await run(database, query, stepsOfInsert)) as QueryResult<Result>,
    // eslint-disable-next-line require-yield
    async *streamQuery() {
      throw new Error('streaming is not supported: rows are read at once')
    },
  }
  const noTransactions = async () => {
    throw new Error('transactions over several statements are not supported')
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      beginTransaction: noTransactions,
      commitTransaction: noTransactions,
      rollbackTransaction: noTransactions,
      destroy: async () => {},
    }),
  }
}

async function run(
  database: Database,
  compiled: CompiledQuery,
  stepsOfInsert: (table: string) => readonly Statement[],
): Promise<QueryResult<unknown>> {
  const statement = ofCompiled(compiled)
  const { query } = compiled
  const changes =
    query.kind === 'InsertQueryNode' ||
    query.kind === 'UpdateQueryNode' ||
    query.kind === 'DeleteQueryNode'
  if (!changes) return { rows: await database.readRows(statement) }
  const table = query.kind === 'InsertQueryNode' ? query.into?.table.identifier.name : undefined
  const steps = table === undefined ? [] : stepsOfInsert(table)
  if (query.returning !== undefined)
    return { rows: await database.writeReturning(statement, steps) }
  return { rows: [], numAffectedRows: BigInt(await database.write([statement, ...steps])) }
}
