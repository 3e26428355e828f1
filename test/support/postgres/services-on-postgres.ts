import { afterAll, beforeEach, inject } from 'vitest'
import { storeServicesIn } from './service-database.ts'
import { noPostgres } from './start-postgres.ts'

// The services of this file store their data in PostgreSQL.
const postgresUrl = inject('postgresUrl')
storeServicesIn(postgresUrl === '' ? undefined : postgresUrl)
beforeEach(({ skip }) => skip(postgresUrl === '', noPostgres))
afterAll(() => storeServicesIn(undefined))
