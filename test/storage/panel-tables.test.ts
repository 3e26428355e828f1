import { beforeEach, expect, test } from 'vitest'
import { createAuth } from '../../src/people/better-auth.ts'
import type { Database } from '../../src/storage/database.ts'
import { silentLogger } from '../../src/telemetry/logger.ts'
import { onPostgres, useDatabases } from '../support/databases.ts'

const databases = useDatabases()
let database: Database
beforeEach(async () => {
  database = await databases.open({ serve: true })
})

const auth = () =>
  createAuth({
    database,
    logger: silentLogger,
    now: Date.now,
    url: 'http://127.0.0.1:1',
    secret: 'a secret of the tests, long enough for it',
    isDisabled: async () => false,
  })

test('the tables are those that better-auth expects', async ({ skip }) => {
  skip(...onPostgres)
  const { explicitSchemaCheck } = await auth().$context
  expect(explicitSchemaCheck).toBeDefined()
  await explicitSchemaCheck?.()
})

test('a failing statement with RETURNING does not affect the other statements of its batch', async () => {
  const { adapter } = await auth().$context
  const value = (identifier: string) => ({
    identifier,
    value: 'x',
    expiresAt: new Date(1_800_000_000_000),
    createdAt: new Date(0),
    updatedAt: new Date(0),
  })
  const create = (identifier: string, id?: string) =>
    adapter.create({
      model: 'verification',
      data: { ...value(identifier), ...(id === undefined ? {} : { id }) },
      forceAllowId: true,
    })
  const [first, second, third] = await Promise.allSettled([
    create('a', 'same'),
    create('b', 'same'),
    create('c'),
  ])
  expect([first.status, second.status, third.status]).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  const found = await adapter.findMany<{ identifier: string; expiresAt: Date }>({
    model: 'verification',
  })
  expect(found.map(({ identifier }) => identifier).toSorted()).toEqual(['a', 'c'])
  expect(found[0]?.expiresAt).toEqual(new Date(1_800_000_000_000))
})

test('when many callers consume one row, one of them gets it', async () => {
  const { adapter } = await auth().$context
  const times = { expiresAt: new Date(), createdAt: new Date(), updatedAt: new Date() }
  await adapter.create({ model: 'verification', data: { identifier: 'a', value: 'x', ...times } })
  const where = [{ field: 'identifier', value: 'a' }]
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => adapter.consumeOne({ model: 'verification', where })),
  )
  expect(taken.filter((row) => row !== null)).toHaveLength(1)
})
