import type { LimitName } from '../../key-limits.ts'

export type LimitState = { limit: number; remaining: number; resetMs: number }
/** State of each limit that is set. */
export type LimitStates = Readonly<Partial<Record<LimitName, LimitState>>>

/**
 * One moment on two clocks, in milliseconds. `wall` decides the day and the month, and may jump; `steady` never goes
 * back.
 */
export type Moment = { wall: number; steady: number }
