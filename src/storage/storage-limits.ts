import { strict as assert } from 'node:assert'
import { storageTimeoutMs } from '../limits.ts'

/** Time in which the database must open. */
export const databaseOpenTimeoutMs = 120_000
/** Time in which the database must open if its tables are upgraded. Five million entries take some minutes. */
export const databaseUpgradeTimeoutMs = 6 * 3_600_000
/** Time that a statement waits for another process's lock. */
export const busyTimeoutMs = 5_000
/** Time that a start waits for the lock of a data directory before it says that another service runs there. */
export const serveLockWaitMs = 250
/** Time after the loss of PostgreSQL for which statements wait for it. Later ones fail at once. */
export const outageWaitMs = 4_000
/** Time in which PostgreSQL must accept a connection. */
export const connectTimeoutMs = 5_000
/** Time between two attempts to reach PostgreSQL again. */
export const reconnectMs = 250
/** Time between two checks for commits of other processes, such as CLI commands. */
export const foreignCommitPollMs = 250
/** Size of a spare file that is deleted when the disk is full, so that running entries can be settled. */
export const ballastBytes = 8 * 1024 * 1024
/** Time between two attempts to restore the ballast file. */
export const ballastRetryMs = 1_000
/** File size up to which the database is checked at every start; beyond it the check takes too long. */
export const checkedAtStartBytesMax = 64 * 1024 * 1024
/** Size to which the journal is truncated after a checkpoint. */
export const walKeptBytesMax = 64 * 1024 * 1024
/** Journal size at which the log warns. The journal only grows this large if a reader blocks the checkpoints. */
export const journalAlarmBytes = 4 * walKeptBytesMax
/** Journal pages (4 KiB each) that trigger a checkpoint. 70 requests fill the driver's default of 1,000. */
export const walCheckpointPages = 8_000
/** Page cache. The driver's default is 16 MB; the ledger mostly uses its latest pages, so this is enough. */
export const pageCacheKib = 4_096
/** Page cache of an upgrade, which sorts whole tables. */
export const migrationCacheKib = 65_536

assert(busyTimeoutMs < storageTimeoutMs)
assert(outageWaitMs < storageTimeoutMs)
// API keys that another process revokes stop working within a second.
assert(foreignCommitPollMs < 1000)
assert(walCheckpointPages * 4096 < walKeptBytesMax, 'a checkpoint comes before the journal is cut')
