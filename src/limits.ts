import { strict as assert } from 'node:assert'
import { chatParameters } from './chat-parameters.ts'

// Chat requests and replies. chat-parameters.ts has the bounds of the parameters themselves.

/** Largest PIPIT_MAX_TOKENS. */
export const completionTokensCeiling = 1_048_576
/** Parts of one message's content. */
export const contentPartsMax = 512
/** Tokens in one reply of `POST /v1/tokenize`. */
export const tokenizedTokensMax = 16_384
/** Characters of the description of a tool or a schema. */
export const descriptionCharsMax = 4096
/** Calls in one reply; the grammar ends after them. */
export const toolCallsMax = 16
/** Characters of a tool call's id. */
export const toolCallIdCharsMax = 256

assert(chatParameters.max_tokens.maximum <= completionTokensCeiling)

// HTTP.

/** Size of the body of a request to the model. */
export const requestBytesMax = 1024 * 1024
/** Size of any other body: an account's name, a password, the limits of a key. */
export const smallBodyBytesMax = 64 * 1024
/** Size from which bodies are parsed one after the other, with other work in between. */
export const largeBodyBytes = 64 * 1024
/** Size of all headers of a request together. */
export const headerBytesMax = 16 * 1024
/** Number of headers of a request; Node ignores further ones. */
export const headersCountMax = 100
/** Length of the `Authorization` header; a longer one is no API key. */
export const authorizationBytesMax = 512
/** Nesting of a request body. A schema takes two levels of JSON for each of its own. */
export const jsonDepthMax = 128
/** Members of all objects in a request body, and its texts (names too), arrays and objects. So many take 10 ms to parse. */
export const jsonMembersMax = 20_000
export const jsonPartsMax = 50_000
/** Names listed in `x-ignored-parameters`, and the characters of each. */
export const ignoredParametersNamedMax = 20
export const ignoredParameterCharsMax = 96
/** Length of an `Idempotency-Key`. */
export const idempotencyKeyCharsMax = 255
/** Open connections. A further one takes the place of one without a request. */
export const connectionsMax = 4096
/** Connections of the metrics listener. */
export const metricsConnectionsMax = 16
/** Unanswered requests of one connection; a further one ends the connection. */
export const pipelinedRequestsMax = 16
/** Announced bodies of all requests of one connection that wait for their turn; further bytes end the connection. */
export const pipelinedBodyBytesMax = 64 * 1024
/** Addresses of `X-Forwarded-For` that are read, from its end. */
export const forwardedHopsMax = 16
/** Time between two checks for renewed files of PIPIT_TLS_CERT and PIPIT_TLS_KEY. */
export const certificateCheckMs = 60_000
/** Time in which a client must send the headers of a request, and before that finish a TLS handshake. */
export const headersTimeoutMs = 10_000
/** Time in which a client must send a whole request. */
export const bodyTimeoutMs = 30_000
/** Idle time after which a connection is closed. */
export const keepAliveTimeoutMs = 65_000
/** Silence of a stream after which it gets a `: ping` comment. */
export const pingIntervalMs = 15_000
/** Time after which a stream gets its headers (and pings) even without a first token. */
export const streamHeadersDelayMaxMs = 5_000
/** Time without a read after which a stream is cut. */
export const slowReaderTimeoutMs = 30_000
/** Time without a read after which the connection of a response that is no stream is closed. */
export const unreadResponseTimeoutMs = 10_000
/** The same time for a stream that has ended; the connection may stay open for longer. */
export const unreadStreamTimeoutMs = 40_000

assert(streamHeadersDelayMaxMs < pingIntervalMs && pingIntervalMs < slowReaderTimeoutMs)
// The reader's own time ends first, so that the generation is settled as one of a slow reader.
assert(slowReaderTimeoutMs < unreadStreamTimeoutMs)

// The life of one completion.

/** Requests of all callers that may be in the service without a slot; further ones get 503. */
export const queueMax = 384
/** The same of one account and of one API key; further ones get 429. So places stay free for the others. */
export const queueOfAccountMax = 320
export const queueOfKeyMax = 256
/** Bytes of each body that its place includes; only what is larger counts against the following maximums. */
export const bodyBytesOfPlace = 32 * 1024
/** Size of all bodies of requests that have not ended: of all callers, of one account and of one API key. */
export const bodyBytesInFlightMax = 64 * 1024 * 1024
export const bodyBytesOfAccountMax = 32 * 1024 * 1024
export const bodyBytesOfKeyMax = 16 * 1024 * 1024
/** Size of the events of streams that wait for their readers: of all callers, of one account and of one API key. */
export const unreadBytesMax = 64 * 1024 * 1024
export const unreadBytesOfAccountMax = 32 * 1024 * 1024
export const unreadBytesOfKeyMax = 16 * 1024 * 1024
/** Events that wait for a reader before further deltas of a choice are joined. */
export const unreadEventsMax = 64
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
/** Time that connections get after PIPIT_GRACE_SECONDS to receive the rest of their replies. */
export const connectionsGraceMs = 5_000

assert(queueOfKeyMax < queueOfAccountMax && queueOfAccountMax < queueMax)
assert(requestBytesMax < bodyBytesOfKeyMax && smallBodyBytesMax < requestBytesMax)
assert(bodyBytesOfKeyMax < bodyBytesOfAccountMax && bodyBytesOfAccountMax < bodyBytesInFlightMax)
assert(unreadBytesOfKeyMax < unreadBytesOfAccountMax && unreadBytesOfAccountMax < unreadBytesMax)
assert(queueWaitMaxMs < firstTokenTimeoutMs && firstTokenTimeoutMs < generationTimeoutMs)
/** Entries of PIPIT_WEIGHTS, and the smallest and largest weight. */
export const weightsMax = 256
export const weightMin = 0.01
export const weightMax = 100

// The engine.

/** Slots without PIPIT_SLOTS, if memory allows. */
export const slotsDefault = 4
/** Smallest PIPIT_CONTEXT_TOKENS. */
export const contextTokensMin = 256
/** Context without PIPIT_CONTEXT_TOKENS, even if the model was trained for more. */
export const contextTokensDefaultMax = 4096
/** Context below which the memory plan gives up slots instead of shortening the context further. */
export const contextTokensLoweredMin = 1024
/**
 * Memory left free beside the model's file and the KV cache: for compute buffers (128 rows of logits of a
 * vocabulary of 256 k are 134 MB), for the growth of both processes, and for the machine.
 */
export const memoryReserveBytes = 256 * 1024 * 1024
/**
 * Memory for checkpoints, from which models with recurrent layers or a sliding window continue a prefix, and for
 * copies of recurrent states. With less free memory it is half of what the KV cache and cached tokens leave.
 */
export const checkpointBytesMax = 512 * 1024 * 1024
/** Time without progress after which a busy engine process counts as hung and is killed. */
export const heartbeatTimeoutMs = 10_000
/** Time in which an engine process must load the smallest model. */
export const modelLoadTimeoutMs = 120_000
/**
 * Speed at which a model must be loaded; a larger file gets more time. A file is read for its checksum, its check
 * and its packing, from a disk that may give no more than 60 MB/s.
 */
export const modelLoadBytesPerSecondMin = 20_000_000
/** Delay before the first report on a slow load. The delays double up to the largest. */
export const loadReportDelayMs = 2000
export const loadReportDelayMaxMs = 30_000
/** Longest delay between two restarts of the engine process. */
export const restartBackoffMaxMs = 30_000

/**
 * A conversation of at most so many messages and characters is rendered at once, between two steps; a larger
 * one by the preparing thread of the engine process.
 */
export const smallPromptMessagesMax = 64
export const smallPromptCharsMax = 8 * 1024
/** Characters from which a conversation waits for others of its size, and no longer for smaller ones. */
export const largePromptCharsMin = 64 * 1024
/** Conversations with a schema that the engine process has at a time; the lines of larger work have one. */
export const quickPreparesMax = 2
/** Time after which the preparing thread is ended in the middle of its work. */
export const prepareTimeoutMs = 5000
/** Time that the preparing thread has to give up work that is no longer wanted, before it is ended. */
export const prepareCancelMs = 40
/** Heap of the preparing thread: three times what the most expensive body of 1 MB needs. */
export const prepareHeapMb = 512
/** Control texts of the model in one conversation's messages; each of them costs a call of the tokenizer. */
export const forgedTextsMax = 1000
/** Time without work after which the preparing thread ends, so that its memory is free again. */
export const prepareIdleMs = 600_000

assert(smallPromptCharsMax < largePromptCharsMin && prepareTimeoutMs < heartbeatTimeoutMs)
assert(contextTokensMin <= contextTokensLoweredMin)
assert(contextTokensLoweredMin <= contextTokensDefaultMax)

// Schemas of replies. A schema within these limits compiles in at most 0.2 s, and mostly in a few ms.

/** Size of the file of PIPIT_CHAT_TEMPLATE. */
export const chatTemplateBytesMax = 1024 * 1024
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
/** Values of unique items, and names of properties, that are counted so that a reply cannot run out of them. */
export const uniqueValuesMax = 5000
/** States of a pattern or format that is combined with lengths. */
export const schemaStringStatesMax = 8000
/** Characters of a pattern. */
export const patternCharsMax = 1000
/** States of a pattern's automaton. */
export const patternStatesMax = 2000
/** Steps of the compiler, of about a microsecond each. */
export const grammarWorkMax = 150_000
/** Steps of a first attempt. A schema that needs more waits in a line of its own, so that it delays no other. */
export const grammarQuickWorkMax = 40_000
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
/** API keys of the whole service, without revoked ones. */
export const apiKeysMax = 100_000
/** API keys of one account, without revoked ones. */
export const apiKeysOfAccountMax = 1000
/** Revoked API keys of one account that stay in the database; a new key deletes the earliest ones beyond it. */
export const apiKeysRevokedKeptMax = 1000
/** Keys and accounts whose usage is counted in memory; beyond it those without usage this month are dropped. */
export const ratedSubjectsMax = 2 * apiKeysMax
/** Time for which the old key stays valid after a rotation, by default and at most. */
export const rotationGraceMsDefault = 86_400_000
export const rotationGraceMsMax = 30 * 86_400_000
/** Length of a name of a key, an account or a user: in characters, and in UTF-8. */
export const nameCharsMax = 64
export const nameBytesMax = 256
/** Keys in one response about usage. */
export const usageKeysMax = 100
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
/** Time between two checks of the size of the database. */
export const ledgerCheckMs = 60_000
/** Shares of PIPIT_LEDGER_MAX_GIB: from the first on the log warns, and down to the second the oldest receipts are deleted. */
export const ledgerAlarmShare = 0.8
export const ledgerShrunkShare = 0.95
/** Advance of the wall clock since the last run that counts as time off; a larger one may be a wrong clock. */
export const clockJumpMs = 2 * 86_400_000

/** Writes of the ledger that failed and are repeated, and the size of their texts; further ones are given up. */
export const retriedWritesMax = 2_000
export const retriedBytesMax = 16 * 1024 * 1024
/** Shortest and longest pause before failed writes of the ledger are repeated. */
export const retryPauseMinMs = 500
export const retryPauseMaxMs = 30_000
/** Time between two searches for reserved entries that no request holds. */
export const orphanSweepMs = 60_000
/** Time after which no request can still hold its reserved entry: twice the longest generation. */
export const entryOpenMaxMs = 2 * generationTimeoutMs

/** Receipts per minute of requests that were refused, for one account and for all; others are only counted. */
export const refusalReceiptsPerMinute = 30
export const refusalReceiptsPerMinuteOfAll = 120
/** Counts of refused requests, one per key and code, that wait to be written, and the time between two writes. */
export const refusalCountsMax = 10_000
export const refusalCountsMs = 1_000
/** Size of the parameters on a receipt; one that does not fit is left out. */
export const receiptParametersBytesMax = 32 * 1024
/** The same for a request that was refused, whose names of ignored parameters have the same limit. */
export const refusalParametersBytesMax = 1024
/** Characters of an error's parameter and message on a receipt. */
export const receiptErrorParamCharsMax = 128
export const receiptErrorMessageCharsMax = 400

assert(apiKeysOfAccountMax < apiKeysMax)
assert(writerBatchMax < writerQueueMax)
assert(idempotencyReplyBytesMax + idempotencyRowBytes < idempotencyBytesMax)
assert(generationTimeoutMs < idempotencyMs)

// The developer panel. sign-in-limits.ts has the limits of its users.

/** Size of the panel's scripts and styles in memory, each in up to three encodings; further ones are read for each use. */
export const panelAssetsKeptBytesMax = 16 * 1024 * 1024

// Memory of the HTTP process.

/**
 * Size of the slabs that small buffers are cut from. A slab of Node's default size, 64 KiB, serves some 80
 * requests and so outlives the young generation: 0.8 KB per request would stay until the next full collection.
 */
export const bufferSlabBytes = 8 * 1024
/** Growth of the heap between two full collections; V8's default lets a heap of 25 MB grow to 86 MB. */
export const heapGrowthPercent = 50

// The command line.

/** Time without a byte after which `pipit chat` gives a reply up; the service pings more often. */
export const chatIdleMs = 5 * 60_000
/** Characters of one reply, and of one line of its stream. */
export const chatReplyCharsMax = 4 * 1024 * 1024
export const chatLineCharsMax = 4 * 1024 * 1024
/** Time that a command waits for the running service to follow its change of keys or accounts. */
export const changeConfirmMs = 2_000
/** Size of a reply that `pipit check` reads. */
export const checkReplyBytesMax = 4 * 1024 * 1024
