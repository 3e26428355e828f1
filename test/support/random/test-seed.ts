import fc from 'fast-check'

/**
 * The seed of the tests that draw at random: the same in each run, unless TEST_SEED is another number. For
 * TEST_SEED=random, vitest.config.ts draws one and prints it.
 */
export const testSeed = Number(process.env['TEST_SEED'] ?? 1)

fc.configureGlobal({ seed: testSeed })

export { default as fc } from 'fast-check'
