import type { TestProject } from 'vitest/node'
import { startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a running PostgreSQL; empty where it is not installed. */
    postgresUrl: string
  }
}

/** Vitest's global set-up: starts one PostgreSQL for all files of the project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres(['fsync=off', 'full_page_writes=off', 'max_connections=300'])
  project.provide('postgresUrl', postgres?.url ?? '')
  return async () => await postgres?.stop()
}
