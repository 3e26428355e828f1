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
import { ofCompiled } from './statement.ts'

/**
 * Returns a dialect that runs a library's queries on the storage thread. Each statement is its own transaction;
 * transactions over several statements throw.
 */
export function databaseDialect(database: Database): Dialect {
  const connection: DatabaseConnection = {
    executeQuery: async <Result>(query: CompiledQuery) =>
      // The query determines the columns, so the rows have its result type.
      (await run(database, query)) as QueryResult<Result>,
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

async function run(database: Database, compiled: CompiledQuery): Promise<QueryResult<unknown>> {
  const statement = ofCompiled(compiled)
  const { query } = compiled
  const changes =
    query.kind === 'InsertQueryNode' ||
    query.kind === 'UpdateQueryNode' ||
    query.kind === 'DeleteQueryNode'
  if (!changes) return { rows: await database.readRows(statement) }
  if (query.returning !== undefined) return { rows: await database.writeReturning(statement) }
  return { rows: [], numAffectedRows: BigInt(await database.write([statement])) }
}
