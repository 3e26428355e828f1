import fc from 'fast-check'

/**
 * Seed of the tests with random inputs. It is the same in each run, unless TEST_SEED is another number. For
 * TEST_SEED=random, vitest.config.ts draws a seed and prints it.
 */
export const testSeed = Number(process.env['TEST_SEED'] ?? 1)

fc.configureGlobal({ seed: testSeed })

export { default as fc } from 'fast-check'
