import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { memoryOptions } from './src/cli/memory-settings.ts'
import { useOwnTemporaryFolder } from './test/setup/temporary-folder.ts'
import { SummaryReporter } from './tools/summary-reporter.ts'

useOwnTemporaryFolder()

// Test processes, their threads and the services that they start share a cache of compiled code, which saves half of
// the processor time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

// Random tests use the same seed in each run. TEST_SEED sets another seed; `random` chooses a new one.
if (process.env['TEST_SEED'] === 'random') {
  process.env['TEST_SEED'] = String(randomInt(2 ** 30))
  console.log(`TEST_SEED=${process.env['TEST_SEED']}`)
}

// On a busy machine, a browser needs half a minute for steps that usually take three seconds.
const timeouts = {
  testTimeout: 60_000,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 15_000 } },
}
const long = '**/*.long.test.ts'
// These tests need an installation of vLLM, which takes gigabytes.
const real = '**/*.real.test.ts'
const packages = '**/{node_modules,.cache}/**'
const onPostgres = 'test/storage/postgres/**'
// The tests that `npm test` runs on PostgreSQL: the service, the ledger, and the leases of several services.
const shortOnPostgres = [
  'test/storage/ledger.test.ts',
  'test/storage/postgres/{batch-writer,leases,service,tables}.test.ts',
]
/** Those of the API's tests that depend on the database. */
const apiOnPostgres = [
  'test/api/chat/{fairness,idempotency,input-tokens,limits,receipts,refusals,stream}.test.ts',
  'test/api/http/{authentication,errors}.test.ts',
  'test/api/panel/{account-name,alerts,audit,live,oidc,playground,prices,routes,sign-up-policy,two-factor,usage}.test.ts',
]
const globalSetup = 'test/setup/build.ts'

// These tests try many models, templates, schedules and kernels, which takes minutes. `npm test` leaves them to the whole
// check.
const thorough = [
  'test/api/http/openapi-fuzz.test.ts',
  'test/contract/engine-{arithmetic,equality,families,limit}.test.ts',
  'test/faults/engine/prepare-turns.test.ts',
  'test/faults/engine-model-files.test.ts',
  'test/models/*.test.ts',
  'test/native/*.test.ts',
  'test/simulator/**/*.test.ts',
  'test/templates/*.test.ts',
]
// These tests measure times or memory of a process, so they run one at a time.
const measuring = [
  'test/api/panel/sign-in-attack.test.ts',
  'test/contract/engine-fixed-text.test.ts',
  'test/faults/callers/*.test.ts',
  'test/faults/connection-floods.test.ts',
  'test/faults/engine-crash.test.ts',
  'test/faults/engine-prepare.test.ts',
  'test/faults/front-memory.test.ts',
  'test/faults/machine/*.test.ts',
  'test/faults/overload/overload.test.ts',
  'test/faults/resumed-replies.test.ts',
  'test/fuzz/regressions.test.ts',
]
// The bounds of these tests hold only if nothing else runs on the machine.
const undisturbed = [
  'test/faults/callers/large-bodies.test.ts',
  'test/faults/engine-kill.long.test.ts',
]
// Tests wait for much of their time, so four files at a time fill two cores. Files share processes, because a new
// process for each file takes longer than many tests.
const shared = { maxWorkers: 4, isolate: false }
const setupFiles = 'test/setup/report-failure-notes.ts'
const common = { globalSetup, setupFiles, ...timeouts }
const withPostgres = {
  ...common,
  globalSetup: [globalSetup, 'test/support/postgres/setup.ts'],
  exclude: [long, packages],
  ...shared,
}

// `npm test` runs the projects whose names begin with `default`; the whole check runs the others, too.
export default defineConfig({
  test: {
    reporters: ['default', new SummaryReporter()],
    projects: [
      {
        test: {
          ...common,
          name: 'default-units',
          include: ['{src,panel,tools,bench}/**/*.test.ts'],
          exclude: [long, packages],
          ...shared,
        },
      },
      {
        test: {
          ...common,
          name: 'default',
          include: ['test/**/*.test.ts'],
          exclude: [long, real, packages, onPostgres, ...measuring, ...thorough, ...undisturbed],
          ...shared,
        },
      },
      {
        test: {
          ...common,
          name: 'thorough',
          include: thorough,
          exclude: [long, packages],
          // Some take 10 s when nothing else runs, and six times as long on a busy machine.
          testTimeout: 180_000,
          ...shared,
        },
      },
      { test: { ...withPostgres, name: 'default-postgres', include: shortOnPostgres } },
      // Runs the other tests of the database on PostgreSQL. Most of them also run on SQLite, in the project `default`.
      {
        test: {
          ...withPostgres,
          name: 'postgres',
          include: ['test/storage/**/*.test.ts'],
          exclude: [...withPostgres.exclude, ...shortOnPostgres],
        },
      },
      // Runs the API's tests with services that store their data in PostgreSQL.
      {
        test: {
          ...withPostgres,
          name: 'postgres-api',
          include: apiOnPostgres,
          setupFiles: [setupFiles, 'test/support/postgres/services-on-postgres.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'measuring',
          include: measuring,
          // Gives the young generation the same size as in the service, so that garbage collection takes as long.
          execArgv: memoryOptions,
          exclude: [long, packages, ...undisturbed],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'undisturbed',
          include: undisturbed,
          execArgv: memoryOptions,
          exclude: [packages],
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
      // These tests kill processes, fill disks, open browsers and take minutes. They run one file at a time.
      {
        test: {
          ...common,
          name: 'long',
          include: [long],
          exclude: [packages, ...undisturbed],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      { test: { ...common, name: 'real', include: [real], exclude: [packages] } },
    ],
  },
})
