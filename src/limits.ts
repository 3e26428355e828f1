import { strict as assert } from 'node:assert'

// Parameters of a chat request (docs/api.md).

/** Value of `max_tokens` when a request leaves it out. */
export const completionTokensDefault = 256
/** Largest `max_tokens`. */
export const completionTokensMax = 2048
/** Value of `temperature` when a request leaves it out. */
export const temperatureDefault = 0.7
/** Largest `temperature`. */
export const temperatureMax = 1
/** Messages of one conversation. */
export const messagesMax = 512
/** Parts of one message's content. */
export const contentPartsMax = 512
/** Entries of `stop`. */
export const stopSequencesMax = 4
/** Characters of one entry of `stop`. */
export const stopSequenceCharsMax = 256
/** Largest `top_k`. */
export const topKMax = 1000
/** `presence_penalty` and `frequency_penalty` lie between this and its negative. */
export const penaltyMax = 2
/** Largest `top_logprobs`. */
export const topLogprobsMax = 20
/** Largest `n`. */
export const choicesMax = 4
/** Biases of `logit_bias` lie between this and its negative. */
export const logitBiasMax = 100
/** Entries of `logit_bias`. */
export const logitBiasEntriesMax = 1024
/** Characters of `user`, `service_tier` and other identifiers without effect. */
export const identifierCharsMax = 512
/** Characters of the description of a tool or a schema. */
export const descriptionCharsMax = 4096
/** Entries of `metadata`, and the characters of their names and values. */
export const metadataEntriesMax = 16
export const metadataNameCharsMax = 64
export const metadataValueCharsMax = 512
/** `seed` lies between this and its negative. */
export const seedMax = Number.MAX_SAFE_INTEGER
/** Entries of `tools`, and of `tool_calls` in a message. */
export const toolsMax = 128
/** Calls in one reply; the grammar ends after them. */
export const toolCallsMax = 16
/** Characters of a tool call's id. */
export const toolCallIdCharsMax = 256

assert(completionTokensDefault <= completionTokensMax)

// HTTP.

/** Size of a request body. */
export const requestBytesMax = 1024 * 1024
/** Size of all headers of a request together. */
export const headerBytesMax = 16 * 1024
/** Number of headers of a request; Node ignores further ones. */
export const headersCountMax = 100
/** Length of the `Authorization` header; a longer one is no API key. */
export const authorizationBytesMax = 512
/** Nesting of a request body. A schema takes two levels of JSON for each of its own. */
export const jsonDepthMax = 128
/** Names listed in `x-ignored-parameters`. */
export const ignoredParametersNamedMax = 20
/** Length of an `Idempotency-Key`. */
export const idempotencyKeyCharsMax = 255
/** Open connections; the server refuses further ones. */
export const connectionsMax = 4096
/** Time in which a client must send the headers of a request. */
export const headersTimeoutMs = 10_000
/** Time in which a client must send a whole request. */
export const bodyTimeoutMs = 30_000
/** Idle time after which a connection is closed. */
export const keepAliveTimeoutMs = 65_000
/** Silence of a stream after which it gets a `: ping` comment. */
export const pingIntervalMs = 15_000
/** Time after which a stream gets its headers (and pings) even without a first token. */
export const streamHeadersDelayMaxMs = 5_000
/** Time after which a stream is cut whose reader reads nothing. */
export const slowReaderTimeoutMs = 30_000

assert(streamHeadersDelayMaxMs < pingIntervalMs && pingIntervalMs < slowReaderTimeoutMs)

// The life of one completion.

/** Requests of all callers that may be in the service without a slot; further ones get 503. */
export const queueMax = 256
/** Time that a request waits for its slots, or for a model that is being loaded, before it gets 503. */
export const queueWaitMaxMs = 30_000
/** Time from arrival to the first token before a completion is ended. */
export const firstTokenTimeoutMs = 90_000
/** Time from arrival to the last token before a completion is ended. */
export const generationTimeoutMs = 600_000
/** New tokens after which a running entry is written to the ledger; a crash loses fewer. */
export const checkpointTokens = 64
/** Time after which new tokens of a running entry are written to the ledger, however few they are. */
export const checkpointIntervalMs = 1000
/** Seconds that running replies get to end when the service stops, without PIPIT_GRACE_SECONDS, and its largest value. */
export const graceSecondsDefault = 30
export const graceSecondsMax = 3600
/** Time that connections get after that to receive the rest of their replies. */
export const connectionsGraceMs = 5_000

assert(queueWaitMaxMs < firstTokenTimeoutMs && firstTokenTimeoutMs < generationTimeoutMs)

// The engine.

/** Slots without PIPIT_SLOTS, if memory allows. */
export const slotsDefault = 4
/** Largest PIPIT_SLOTS. */
export const slotsMax = 64
/** Smallest PIPIT_CONTEXT_TOKENS. */
export const contextTokensMin = 256
/** Largest PIPIT_CONTEXT_TOKENS. */
export const contextTokensCeiling = 131_072
/** Context without PIPIT_CONTEXT_TOKENS, even if the model was trained for more. */
export const contextTokensDefaultMax = 4096
/** Context below which the memory plan gives up slots instead of shortening the context further. */
export const contextTokensLoweredMin = 1024
/**
 * Memory left free beside the model's file and the KV cache: for compute buffers (128 rows of logits of a
 * vocabulary of 256 k are 134 MB), for the growth of both processes, and for the machine.
 */
export const memoryReserveBytes = 256 * 1024 * 1024
/** Largest PIPIT_THREADS. */
export const threadsMax = 256
/** Largest PIPIT_CACHED_TOKENS. */
export const cachedTokensMax = 16_777_216
/** Speculative tokens of one step without PIPIT_GUESSED_TOKENS, and the largest value of it. */
export const speculativeTokensDefault = 8
export const speculativeTokensMax = 16
/** Time without progress after which a busy engine process counts as hung and is killed. */
export const heartbeatTimeoutMs = 10_000
/** Time in which an engine process must load the model. */
export const modelLoadTimeoutMs = 120_000
/** Longest delay between two restarts of the engine process. */
export const restartBackoffMaxMs = 30_000

assert(slotsDefault <= slotsMax)
assert(speculativeTokensDefault <= speculativeTokensMax)
assert(contextTokensMin < contextTokensCeiling)
assert(contextTokensMin <= contextTokensLoweredMin)
assert(contextTokensLoweredMin <= contextTokensDefaultMax)

// Schemas of replies. A schema within these limits compiles in at most 0.2 s, and mostly in a few ms.

/** Size of a schema's JSON text. */
export const schemaBytesMax = 64 * 1024
/** Subschemas of one schema. */
export const schemaNodesMax = 2000
/** Nesting of a schema, references included. */
export const schemaDepthMax = 64
/** Values of one `enum`. */
export const schemaStringsMax = 1000
/** Alternatives of one place, after `anyOf` and `oneOf` are multiplied out. */
export const schemaAlternativesMax = 256
/** Properties of one object. */
export const schemaPropertiesMax = 256
/** Largest `minLength`. A larger `maxLength` is lowered to this. */
export const schemaStringCharsMax = 8192
/** Largest `minItems`. A larger `maxItems` is lowered to this. */
export const schemaArrayItemsMax = 1024
/** States of a pattern or format that is combined with lengths. */
export const schemaStringStatesMax = 8000
/** Characters of a pattern. */
export const patternCharsMax = 1000
/** States of a pattern's automaton. */
export const patternStatesMax = 2000
/** Steps of the compiler, of about a microsecond each. */
export const grammarWorkMax = 150_000
/** Nesting of JSON where a schema admits any value. */
export const anyJsonDepthMax = 16
/** Compiled grammars that the engine process keeps, and their size together. */
export const grammarsKeptMax = 64
export const grammarsKeptBytesMax = 32 * 1024 * 1024

// The ledger.

/** Units of writing in one transaction. */
export const writerBatchMax = 512
/** Writes that wait for the storage thread; further ones fail. Its reads have the same limit. */
export const writerQueueMax = 20_000
/** Time after which a read fails, or a write counts as stuck. */
export const storageTimeoutMs = 10_000
/** Reads of the panel and of lists that wait for the reader thread; further ones fail. */
export const readerQueueMax = 500
/** API keys of the whole service. */
export const apiKeysMax = 100_000
/** Keys and accounts whose usage is counted in memory; beyond it those without usage this month are dropped. */
export const ratedSubjectsMax = 2 * apiKeysMax
/** Keys on one page of the panel's list. */
export const panelKeysListedDefault = 50
export const panelKeysListedMax = 200
/** Time that the old key stays valid after a rotation. */
export const graceMsDefault = 86_400_000
export const graceMsMax = 30 * 86_400_000
/** Length of a name of a key, an account or a user: in characters, and in UTF-8. */
export const nameCharsMax = 64
export const nameBytesMax = 256
/** Points and keys in one response about usage. */
export const usagePointsMax = 1500
export const usageKeysMax = 100
/** Days that receipts are kept without PIPIT_RECEIPT_DAYS, and the largest value of it. */
export const receiptDaysDefault = 30
export const receiptDaysMax = 3650
/** Receipts on one page of a list. */
export const receiptsListedDefault = 20
export const receiptsListedMax = 100
/** Time that the reply to a request with an Idempotency-Key is kept. */
export const idempotencyMs = 86_400_000
/** Size up to which a reply is kept. */
export const idempotencyReplyBytesMax = 64 * 1024
/** Size of all kept replies together; beyond it the oldest are deleted. */
export const idempotencyBytesMax = 64 * 1024 * 1024
/** Space that a kept reply takes in addition to its text. */
export const idempotencyRowBytes = 512
/** Expired rows deleted at a time, the pause before the next ones, and the time between two sweeps. */
export const retentionBatchMax = 200
export const retentionPauseMs = 50
export const retentionIntervalMs = 600_000

assert(writerBatchMax < writerQueueMax)
assert(idempotencyReplyBytesMax + idempotencyRowBytes < idempotencyBytesMax)
assert(generationTimeoutMs < idempotencyMs)

// The developer panel.

/** Length of a password. */
export const passwordCharsMin = 8
export const passwordCharsMax = 128
/** Length of an e-mail address. */
export const emailCharsMax = 254
/** Days without use after which a session expires. */
export const sessionDays = 7
/** Age in days from which the next use prolongs a session. */
export const sessionRefreshDays = 1
/** Sessions that are watched for their end; beyond it the one that was used longest ago is cut. */
export const panelSessionsFollowedMax = 10_000
/** Lifetimes of set-up, invitation and password-reset links. */
export const setUpLinkMs = 86_400_000
export const inviteLinkMs = 7 * 86_400_000
export const resetLinkMs = 86_400_000
/** Open invitations of the whole service. */
export const invitesMax = 1000
/** Time between two deletions of expired sessions. */
export const expiredSessionsDroppedMs = 600_000
/** Sessions of one user in the panel's list. */
export const sessionsListedMax = 100
/** Accounts on one page of the panel's list. */
export const accountsListedDefault = 50
export const accountsListedMax = 200
/** Failed sign-in attempts for one account before the next one has to wait. */
export const attemptsOfAccountFree = 5
/** Failed sign-in attempts from one network before the next one has to wait. */
export const attemptsOfNetworkFree = 50
/** Longest wait before the next sign-in attempt. */
export const attemptWaitMaxMs = 60_000
/** Time after which failed attempts are forgotten. */
export const attemptsForgottenMs = 3_600_000
/** Accounts and networks whose attempts are counted; beyond it the oldest are forgotten. */
export const attemptsSubjectsMax = 20_000
/** Time in which the OpenID Connect issuer must respond. */
export const issuerTimeoutMs = 5_000

// Memory of the HTTP process.

/**
 * Size of the slabs that small buffers are cut from. A slab of Node's default size, 64 KiB, serves some 80
 * requests and so outlives the young generation: 0.8 KB per request would stay until the next full collection.
 */
export const bufferSlabBytes = 8 * 1024
/** Growth of the heap between two full collections; V8's default lets a heap of 25 MB grow to 86 MB. */
export const heapGrowthPercent = 50

// The database file.

/** Time in which the database must open. */
export const databaseOpenTimeoutMs = 120_000
/** The same while an upgrade changes the tables: some minutes for five million entries. */
export const databaseUpgradeTimeoutMs = 6 * 3_600_000
/** Time that a statement waits for another process's lock. */
export const busyTimeoutMs = 5_000
/** Time between two checks for commits of other processes, such as CLI commands. */
export const foreignCommitPollMs = 250
/** Size of a spare file that is deleted when the disk is full, so that running entries can be settled. */
export const ballastBytes = 8 * 1024 * 1024
/** Time between two attempts to write that file again. */
export const ballastRetryMs = 1_000
/** File size up to which the database is checked at every start; beyond it the check takes too long. */
export const checkedAtStartBytesMax = 64 * 1024 * 1024
/** Size to which the journal is cut after a checkpoint. */
export const walKeptBytesMax = 64 * 1024 * 1024
/** Journal pages of 4 KiB before a checkpoint. The driver's default of 1,000 is reached every 70 requests. */
export const walCheckpointPages = 8_000
/** Page cache. The driver's default is 16 MB; the ledger mostly uses its latest pages, so this is enough. */
export const pageCacheKib = 4_096
/** Page cache of an upgrade, which sorts whole tables. */
export const migrationCacheKib = 65_536
/** Size of a reply that `pipit check` reads. */
export const checkReplyBytesMax = 4 * 1024 * 1024

assert(busyTimeoutMs < storageTimeoutMs)
// API keys that another process revokes stop working within a second.
assert(foreignCommitPollMs < 1000)
assert(walCheckpointPages * 4096 < walKeptBytesMax, 'a checkpoint comes before the journal is cut')
