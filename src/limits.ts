import { strict as assert } from 'node:assert'

// The wire (interface §4.1, §8).
export const completionTokensDefault = 256
export const completionTokensMax = 2048
export const temperatureDefault = 0.7
export const temperatureMax = 1
export const messagesMax = 512
export const contentPartsMax = 512
export const stopSequencesMax = 4
export const stopSequenceCharsMax = 256
export const topKMax = 1000
export const penaltyMax = 2
export const topLogprobsMax = 20
export const choicesMax = 4
export const logitBiasMax = 100
export const logitBiasEntriesMax = 1024
export const identifierCharsMax = 512
export const descriptionCharsMax = 4096
export const metadataEntriesMax = 16
export const metadataNameCharsMax = 64
export const metadataValueCharsMax = 512
export const seedMax = Number.MAX_SAFE_INTEGER

// HTTP.
export const requestBytesMax = 1024 * 1024
export const headerBytesMax = 16 * 1024
export const headersCountMax = 100
export const authorizationBytesMax = 512
/** A schema takes two levels of JSON for each of its own. */
export const jsonDepthMax = 128
export const ignoredParametersNamedMax = 20
export const idempotencyKeyCharsMax = 255
export const connectionsMax = 4096
export const headersTimeoutMs = 10_000
export const bodyTimeoutMs = 30_000
export const keepAliveTimeoutMs = 65_000
export const pingIntervalMs = 15_000
/** A stream whose first token is slower than this gets its headers (and pings) before it. */
export const streamHeadersDelayMaxMs = 5_000
/** A reader that takes nothing for this long loses its stream. */
export const slowReaderTimeoutMs = 30_000

// One generation's life.
/** Requests that wait for a slot, over all callers. */
export const queueMax = 256
export const queueWaitMaxMs = 30_000
/** A crash of the service loses fewer completion tokens of a running request than this … */
export const checkpointTokens = 64
/** … or the tokens of this time. */
export const checkpointIntervalMs = 1000
export const firstTokenTimeoutMs = 90_000
export const generationTimeoutMs = 600_000
export const shutdownGraceMs = 30_000
/** For what is still being sent once no reply is generated any more. */
export const connectionsGraceMs = 5_000

// The engine.
export const slotsDefault = 4
export const slotsMax = 64
export const contextTokensMin = 256
export const contextTokensCeiling = 131_072
/** Of a model that was trained for more; PIPIT_CONTEXT_TOKENS asks for it. */
export const contextTokensDefaultMax = 4096
/** Where memory is short, slots are given up before the context becomes shorter than this. */
export const contextTokensLoweredMin = 1024
/**
 * Beside the model's file and the KV cache: buffers of the computation (128 rows of logits of a
 * vocabulary of 256 k are 134 MB), what both processes grow by, and something for the machine.
 */
export const memoryReserveBytes = 256 * 1024 * 1024
export const threadsMax = 256
export const cachedTokensMax = 16_777_216
export const speculativeTokensDefault = 8
export const speculativeTokensMax = 16
/** A child that is silent for this long while it has work is taken for hung. */
export const heartbeatTimeoutMs = 10_000
export const modelLoadTimeoutMs = 120_000
export const restartBackoffMaxMs = 30_000

// Schemas of replies. What is within them compiles in 0.2 s at most, and mostly in a few ms.
export const schemaBytesMax = 64 * 1024
export const schemaNodesMax = 2000
export const schemaDepthMax = 64
export const schemaStringsMax = 1000
export const schemaAlternativesMax = 256
export const schemaPropertiesMax = 256
/** A longer minimum is refused; a longer maximum is kept to this. */
export const schemaStringCharsMax = 8192
export const schemaArrayItemsMax = 1024
/** Of a pattern or format together with lengths. */
export const schemaStringStatesMax = 8000
export const patternCharsMax = 1000
export const patternStatesMax = 2000
/** Steps of the compiler, of about a microsecond each. */
export const grammarWorkMax = 150_000
/** Where a schema admits anything, it nests no deeper than this. */
export const anyJsonDepthMax = 16
export const grammarsKeptMax = 64
export const grammarsKeptBytesMax = 32 * 1024 * 1024

// Tools.
export const toolsMax = 128
export const toolCallsMax = 16
export const toolCallIdCharsMax = 256

// The ledger.
export const writerBatchMax = 512
export const writerQueueMax = 20_000
export const storageTimeoutMs = 10_000
/** Questions of the panel and of lists that wait for the thread that only reads. */
export const readerQueueMax = 500
export const apiKeysMax = 100_000
/** Keys and accounts whose use is counted in memory; beyond it those that used nothing this month are forgotten. */
export const ratedSubjectsMax = 2 * apiKeysMax
export const panelKeysListedDefault = 50
export const panelKeysListedMax = 200
export const graceMsDefault = 86_400_000
export const graceMsMax = 30 * 86_400_000
export const nameCharsMax = 64
/** Of one answer about usage. */
export const usagePointsMax = 1500
export const usageKeysMax = 100
export const receiptDaysDefault = 30
export const receiptDaysMax = 3650
export const receiptsListedDefault = 20
export const receiptsListedMax = 100
/** For how long the reply to a request with an Idempotency-Key is kept. */
export const idempotencyMs = 86_400_000
/** A longer reply is not kept. */
export const idempotencyReplyBytesMax = 64 * 1024
/** Of all accounts; beyond it the oldest replies go. */
export const idempotencyBytesMax = 64 * 1024 * 1024
/** What a kept reply takes beside itself. */
export const idempotencyRowBytes = 512
/** Old entries go so many at a time, with a pause after each time. */
export const retentionBatchMax = 200
export const retentionPauseMs = 50
export const retentionIntervalMs = 600_000

// The developer panel.
export const passwordCharsMin = 8
export const passwordCharsMax = 128
export const emailCharsMax = 254
export const sessionDays = 7
/** A session that is used is prolonged once it is this old. */
export const sessionRefreshDays = 1
/** Sessions that are told in memory when they end; beyond it the one that was used longest ago is cut. */
export const panelSessionsFollowedMax = 10_000
export const setUpLinkMs = 86_400_000
export const inviteLinkMs = 7 * 86_400_000
export const resetLinkMs = 86_400_000
export const invitesMax = 1000
export const expiredSessionsDroppedMs = 600_000
export const sessionsListedMax = 100
export const accountsListedDefault = 50
export const accountsListedMax = 200
/** Attempts that fail before the next one has to wait. */
export const attemptsOfAccountFree = 5
export const attemptsOfNetworkFree = 50
export const attemptWaitMaxMs = 60_000
export const attemptsForgottenMs = 3_600_000
/** Accounts and networks whose attempts are counted; beyond it those that tried longest ago are forgotten. */
export const attemptsSubjectsMax = 20_000
/** For the answers of the issuer of OIDC. */
export const issuerTimeoutMs = 5_000

assert(completionTokensDefault <= completionTokensMax)
assert(queueWaitMaxMs < firstTokenTimeoutMs && firstTokenTimeoutMs < generationTimeoutMs)
assert(contextTokensMin < contextTokensCeiling)
assert(contextTokensMin <= contextTokensLoweredMin)
assert(contextTokensLoweredMin <= contextTokensDefaultMax)
assert(pingIntervalMs < slowReaderTimeoutMs && streamHeadersDelayMaxMs < pingIntervalMs)
assert(writerBatchMax < writerQueueMax)
assert(idempotencyReplyBytesMax + idempotencyRowBytes < idempotencyBytesMax)
assert(generationTimeoutMs < idempotencyMs)

// Memory of the front.
/**
 * Small buffers are cut from slabs of so many bytes. Node 24 has 64 KiB: filled by some 80 requests, each slab
 * outlived the young generation, and 0.8 KB a request waited for the next collection of the whole heap.
 */
export const bufferSlabBytes = 8 * 1024
/** Between two collections of the whole heap; V8 alone lets one of 25 MB grow to 86. */
export const heapGrowthPercent = 50

// The database file.
export const databaseOpenTimeoutMs = 120_000
/** Once a new version has said that it changes the tables: some minutes for five million entries. */
export const databaseUpgradeTimeoutMs = 6 * 3_600_000
export const busyTimeoutMs = 5_000
export const foreignCommitPollMs = 250
/** Given up when the disk is full, so that what is running can still be settled. */
export const ballastBytes = 8 * 1024 * 1024
export const ballastRetryMs = 1_000
/** Above this a whole check at each start would take too long. */
export const checkedAtStartBytesMax = 64 * 1024 * 1024
export const walKeptBytesMax = 64 * 1024 * 1024
/** Of 4 KiB; the driver's 1,000 are some 70 requests, so that too many of them met a checkpoint. */
export const walCheckpointPages = 8_000
assert(walCheckpointPages * 4096 < walKeptBytesMax, 'a checkpoint comes before the journal is cut')
/** The driver was built with 16 MB; the ledger's hot pages are its last ones, so that little is enough. */
export const pageCacheKib = 4_096
/** While the tables are brought up to date, which sorts whole tables. */
export const migrationCacheKib = 65_536
export const nameBytesMax = 256
/** Of a reply that `pipit check` reads. */
export const checkReplyBytesMax = 4 * 1024 * 1024

assert(busyTimeoutMs < storageTimeoutMs)
assert(foreignCommitPollMs < 1000)
