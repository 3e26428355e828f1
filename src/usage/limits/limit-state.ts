import type { LimitName } from '../../key-limits.ts'

export type LimitState = { limit: number; remaining: number; resetMs: number }
/** State of each limit that is set. */
export type LimitStates = Readonly<Partial<Record<LimitName, LimitState>>>

/** One moment: `wall` tells days and months and may jump, `steady` never goes back. Both in milliseconds. */
export type Moment = { wall: number; steady: number }
