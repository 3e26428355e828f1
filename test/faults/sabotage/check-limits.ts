import type { Sabotage } from './sabotage.ts'

const replicated = 'test/faults/replicas/check-limits.long.test.ts'
const alone = 'test/api/cli/check-limits.long.test.ts'

/** `pipit check --limits` must notice each of these. */
export const checkLimits: readonly Sabotage[] = [
  {
    id: 'F34',
    breaks: 'Each replica counts the limits alone.',
    file: 'src/main.ts',
    find: 'if (replica === undefined) return await RateLimits.open(database)',
    replace: 'if (replica !== null) return await RateLimits.open(database)',
    test: { file: replicated, title: 'an attack on three replicas passes no limit on tokens' },
  },
  {
    id: 'F34',
    breaks: 'Tokens are charged after the reply instead of before it.',
    file: 'src/usage/limits/rate-limits.ts',
    find: `for (const share of this.#shares) share.take('tokens', tokens, at)
    this.#tokens = tokens`,
    replace: `setTimeout(() => {
      for (const share of this.#shares) share.take('tokens', tokens, at)
    }, 5000)`,
    test: { file: alone, title: 'this service lets no token and no parallel request' },
  },
]
