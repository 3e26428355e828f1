import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { SummaryReporter } from './tools/summary-reporter.ts'

// Test processes, their threads and the services that they start share the compiled code: half of the processor time.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

// A browser on a busy machine needs half a minute for what takes it three seconds.
const timeouts = { testTimeout: 60_000, hookTimeout: 30_000 }
const long = '**/*.long.test.ts'
const packages = '**/node_modules/**'
const globalSetup = 'test/native/build-test-addon.ts'

// `npm test` runs `default`; `npm run test:long` the faults that take minutes.
export default defineConfig({
  test: {
    reporters: ['default', new SummaryReporter()],
    projects: [
      {
        test: {
          name: 'default',
          include: [
            'src/**/*.test.ts',
            'panel/**/*.test.ts',
            'test/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude: [long, packages],
          globalSetup,
          ...timeouts,
        },
      },
      // One file at a time: they measure processes, and kill them.
      {
        test: {
          name: 'long',
          include: [long],
          exclude: [packages],
          fileParallelism: false,
          globalSetup,
          ...timeouts,
        },
      },
    ],
  },
})
