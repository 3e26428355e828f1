import type { KeyLimit } from '../../key-limits.ts'
import { ConcurrencyCounter } from './concurrency-counter.ts'
import type { LimitCounter } from './limit-counter.ts'
import { PeriodCounter } from './period-counter.ts'
import { TokenBucket } from './token-bucket.ts'

export function createCounter({ window }: KeyLimit): LimitCounter {
  switch (window) {
    case 'parallel':
      return new ConcurrencyCounter()
    case 'minute':
      return new TokenBucket()
    case 'day':
    case 'month':
      return new PeriodCounter(window)
  }
}

/**
 * Returns the clock of a limit. Limits per minute use the clock that never goes back. Limits per day and month use the
 * wall clock, which may jump.
 */
export function clockOf({ window }: KeyLimit): 'steady' | 'wall' {
  return window === 'minute' ? 'steady' : 'wall'
}
