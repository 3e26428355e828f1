import { defineConfig } from 'vitest/config'

// The tests that `sanitizers.long.test.ts` runs on the addons with sanitizers: single functions,
// kernels, engines, broken model files, grammars.
export default defineConfig({
  test: {
    include: [
      'test/native/*.test.ts',
      'test/contract/engine{s,-arithmetic,-equality}.test.ts',
      'test/faults/engine-model-files.test.ts',
      'test/e2e/structured-output.test.ts',
    ],
    // Excludes a test that takes half of the time. Other tests use the same kernels with these types of weights.
    testNamePattern: /^(?!.*for every request: other types of weights)/,
    testTimeout: 240_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
})
