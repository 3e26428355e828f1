import { defineConfig } from 'vitest/config'

const timeouts = { testTimeout: 30_000, hookTimeout: 30_000 }
const long = '**/*.long.test.ts'

// `npm test` runs `default`; `npm run test:long` the faults that take minutes.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'default',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [long],
          ...timeouts,
        },
      },
      // One file at a time: they measure processes, and kill them.
      { test: { name: 'long', include: [long], fileParallelism: false, ...timeouts } },
    ],
  },
})
