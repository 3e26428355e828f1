import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SummaryReporter } from './tools/summary-reporter.ts'

// Test processes, their threads and the services that they start share the compiled code: half of the processor time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

// Random tests draw the same in each run. TEST_SEED sets another seed, and `random` a new one.
if (process.env['TEST_SEED'] === 'random') {
  process.env['TEST_SEED'] = String(randomInt(2 ** 30))
  console.log(`TEST_SEED=${process.env['TEST_SEED']}`)
}

// A browser on a busy machine needs half a minute for what takes it three seconds.
const timeouts = {
  testTimeout: 60_000,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 15_000 } },
}
const long = '**/*.long.test.ts'
const packages = '**/node_modules/**'
const onPostgres = 'test/storage/postgres/**'
const globalSetup = 'test/setup/build.ts'

// They measure times or memory, so they run one at a time, after the others.
const measuring = ['test/faults/**', 'test/fuzz/**', 'test/api/panel/sign-in-attack.test.ts']
const setupFiles = 'test/setup/failure-notes.ts'
const common = { globalSetup, setupFiles, ...timeouts }

// `npm test` runs `default` and `default-alone`; `npm run test:long` the faults that take minutes.
export default defineConfig({
  test: {
    reporters: ['default', new SummaryReporter()],
    projects: [
      {
        test: {
          ...common,
          name: 'default',
          include: [
            'src/**/*.test.ts',
            'panel/**/*.test.ts',
            'test/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude: [long, packages, onPostgres, ...measuring],
          // Much of their time is waiting. Three files at a time fill two cores.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'default-alone',
          include: measuring.map((path) => path.replace('**', '**/*.test.ts')),
          exclude: [long, packages],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
      // The tests of the database once more, on PostgreSQL.
      {
        test: {
          ...timeouts,
          setupFiles,
          name: 'default-postgres',
          globalSetup: [globalSetup, 'test/support/postgres/setup.ts'],
          include: ['test/storage/**/*.test.ts'],
          exclude: [long, packages],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      // One file at a time: they measure processes, and kill them.
      {
        test: {
          ...common,
          name: 'long',
          include: [long],
          exclude: [packages],
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
