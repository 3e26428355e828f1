import { strict as assert } from 'node:assert'
import { chatParameters } from './chat-parameters.ts'

// Chat requests and replies. chat-parameters.ts has the bounds of the parameters themselves.

/** Largest PIPIT_MAX_TOKENS. */
export const completionTokensCeiling = 1_048_576
/** Maximum number of parts in one message's content. */
export const contentPartsMax = 512
/** Tokens in one response of `POST /v1/tokenize`. */
export const tokenizedTokensMax = 16_384
/** Characters of the description of a tool. Those of coding tools are long. */
export const toolDescriptionCharsMax = 32_768
/** Characters of the description of a schema. */
export const schemaDescriptionCharsMax = 4096
/** Tool calls in one reply; the grammar admits no more. */
export const toolCallsMax = 16
/** Characters of a tool call's id. */
export const toolCallIdCharsMax = 256

assert(chatParameters.max_tokens.maximum <= completionTokensCeiling)

// HTTP.

/** Size of the body of a request to the model. */
export const requestBytesMax = 1024 * 1024
/** Size of any other body: an account's name, a password, the limits of a key. */
export const smallBodyBytesMax = 64 * 1024
/** Minimum size of a large body. Large bodies are parsed one at a time, and other work runs between them. */
export const largeBodyBytes = 64 * 1024
/** Size of all headers of a request together. */
export const headerBytesMax = 16 * 1024
/** Number of headers of a request. */
export const headersCountMax = 100
/** Length of the `Authorization` header; a longer one cannot hold an API key. */
export const authorizationBytesMax = 512
/** Length of an `Accept-Encoding` header that is read. */
export const acceptEncodingCharsMax = 256
/** Nesting of a request body. Each level of a JSON Schema takes two levels of JSON. */
export const jsonDepthMax = 128
/**
 * Members in a request body, and its names and values. Strings (names included), arrays and objects are counted
 * together; other values are bounded by their commas. Parsing this many takes 10 ms.
 */
export const jsonMembersMax = 20_000
export const jsonPartsMax = 50_000
/** Names listed in `x-ignored-parameters`, and the characters of each. */
export const ignoredParametersNamedMax = 20
export const ignoredParameterCharsMax = 96
/** Length of an `Idempotency-Key`. */
export const idempotencyKeyCharsMax = 255
/** Open connections. A further one replaces a connection without a request. */
export const connectionsMax = 4096
/** Open connections of the metrics server. */
export const metricsConnectionsMax = 16
/** Unanswered requests of one connection; a further one closes the connection. */
export const pipelinedRequestsMax = 16
/** Total `Content-Length` of one connection's waiting requests; more closes the connection. */
export const pipelinedBodyBytesMax = 64 * 1024
/** Number of addresses read from the end of `X-Forwarded-For`. */
export const forwardedHopsMax = 16
/** Time between two checks for renewed files of PIPIT_TLS_CERT and PIPIT_TLS_KEY. */
export const certificateCheckMs = 60_000
/** Time in which a client must finish a TLS handshake, and time in which it must then send a request's headers. */
export const headersTimeoutMs = 10_000
/** Time in which a client must send a whole request. */
export const bodyTimeoutMs = 30_000
/** Idle time after which a connection is closed. */
export const keepAliveTimeoutMs = 65_000
/** Time without an event after which a stream gets a `: ping` comment. */
export const pingIntervalMs = 15_000
/**
 * Time after which a stream gets its headers (and pings) even without a first token. It starts when an engine serves the
 * request: while another model is being loaded, the request waits without headers.
 */
export const streamHeadersDelayMaxMs = 5_000
/** Time in which the client of a stream must read what was sent, before the stream is cut. */
export const slowReaderTimeoutMs = 30_000
/** Time without a read by the client after which the connection of a non-streamed response is closed. */
export const unreadResponseTimeoutMs = 10_000
/** Time without a read by the client after which an ended stream's connection is closed. The close may be delayed. */
export const unreadStreamTimeoutMs = 40_000

assert(streamHeadersDelayMaxMs < pingIntervalMs && pingIntervalMs < slowReaderTimeoutMs)
// The slow-reader timeout ends first, so that the generation is settled as `slow_reader`.
assert(slowReaderTimeoutMs < unreadStreamTimeoutMs)

// Lifecycle of a completion.

/** Requests of all callers that the service admits in addition to one for each slot; further ones get 503. */
export const queueMax = 384
/**
 * Requests of one account and of one API key that the service admits in addition to one for each slot; further ones get
 * 429. This leaves room for the requests of other callers.
 */
export const queueOfAccountMax = 320
export const queueOfKeyMax = 256
/** Bytes of each body that are not counted: only bytes beyond these count against the maximums below. */
export const bodyBytesOfPlace = 32 * 1024
/** Total body size of the requests that have not ended: of all callers, of one account and of one API key. */
export const bodyBytesInFlightMax = 64 * 1024 * 1024
export const bodyBytesOfAccountMax = 32 * 1024 * 1024
export const bodyBytesOfKeyMax = 16 * 1024 * 1024
/** Total size of unread stream events: of all callers, of one account and of one API key. */
export const unreadBytesMax = 64 * 1024 * 1024
export const unreadBytesOfAccountMax = 32 * 1024 * 1024
export const unreadBytesOfKeyMax = 16 * 1024 * 1024
/** Memory of a token in a whole reply with logprobs, and of each of its alternatives: the object and its JSON text. */
export const logprobBytes = 256
/** Total memory of logprobs in whole replies that were not sent yet: of all callers, of one account and of one API key. */
export const logprobBytesMax = 256 * 1024 * 1024
export const logprobBytesOfAccountMax = 160 * 1024 * 1024
export const logprobBytesOfKeyMax = 96 * 1024 * 1024
/** Number of unread events in a stream after which each new delta is joined to the last unread one of its choice. */
export const unreadEventsMax = 64
/** Time that a request waits for its slots, or for a model to load, before it gets 503. */
export const queueWaitMaxMs = 30_000
/**
 * Time within which a completion must have its first token; otherwise it is ended. It starts when the body has been read
 * and an engine serves the request, so it includes the wait for slots.
 */
export const firstTokenTimeoutMs = 90_000
/** Time within which a completion must have its last token, from the same start; otherwise it is ended. */
export const generationTimeoutMs = 600_000
/** New tokens after which a running entry is written to the ledger. A crash loses fewer tokens than this. */
export const checkpointTokens = 64
/** Time after which a running entry's new tokens are written to the ledger, however few they are. */
export const checkpointIntervalMs = 1000
/** Time that connections without a response get at a stop, and the shortest time to read the rest of a response. */
export const connectionsGraceMs = 5_000

assert(queueOfKeyMax < queueOfAccountMax && queueOfAccountMax < queueMax)
assert(requestBytesMax < bodyBytesOfKeyMax && smallBodyBytesMax < requestBytesMax)
assert(bodyBytesOfKeyMax < bodyBytesOfAccountMax && bodyBytesOfAccountMax < bodyBytesInFlightMax)
assert(unreadBytesOfKeyMax < unreadBytesOfAccountMax && unreadBytesOfAccountMax < unreadBytesMax)
const { n, max_tokens: tokens, top_logprobs: top } = chatParameters
assert(n.maximum * tokens.maximum * (1 + top.maximum) * logprobBytes < logprobBytesOfKeyMax)
assert(logprobBytesOfKeyMax < logprobBytesOfAccountMax)
assert(logprobBytesOfAccountMax < logprobBytesMax)
assert(queueWaitMaxMs < firstTokenTimeoutMs && firstTokenTimeoutMs < generationTimeoutMs)
/** Maximum number of entries in PIPIT_WEIGHTS, and the smallest and largest weight. */
export const weightsMax = 256
export const weightMin = 0.01
export const weightMax = 100

// The engine.

/** Default of PIPIT_SLOTS, if memory allows. */
export const slotsDefault = 4
/** Smallest PIPIT_CONTEXT_TOKENS. */
export const contextTokensMin = 256
/** Maximum default of PIPIT_CONTEXT_TOKENS, even if the model was trained for more. */
export const contextTokensDefaultMax = 4096
/** Context below which the memory plan gives up slots instead of shortening the context further. */
export const contextTokensLoweredMin = 1024
/**
 * Memory left free in addition to the model's file and the KV cache: for compute buffers (128 rows of logits of a
 * vocabulary of 256 k take 134 MB), for the growth of both processes, and for the rest of the machine.
 */
export const memoryReserveBytes = 256 * 1024 * 1024
/**
 * Maximum memory for checkpoints and for copies of recurrent states. Models with recurrent layers or a sliding window
 * continue a prefix from a checkpoint. If memory is short, the maximum is half of what the KV cache and the cached
 * tokens leave.
 */
export const checkpointBytesMax = 512 * 1024 * 1024
/** Time without progress after which a busy engine process counts as hung and is killed. */
export const heartbeatTimeoutMs = 10_000
/** Time in which an engine process must load the smallest model. */
export const modelLoadTimeoutMs = 120_000
/**
 * Minimum speed at which a model must load, so a larger file gets more time. Loading reads the file to hash it, to
 * check it and to pack its weights. The disk may deliver no more than 60 MB/s.
 */
export const modelLoadBytesPerSecondMin = 20_000_000
/** First and longest delay between reports on a slow load. Each delay is twice the previous one. */
export const loadReportDelayMs = 2000
export const loadReportDelayMaxMs = 30_000
/** Longest delay between two restarts of the engine process. */
export const restartBackoffMaxMs = 30_000

/**
 * Maximum messages and characters of a small conversation. The engine process renders a small conversation immediately,
 * between two decoding steps. Its preparing thread renders larger ones.
 */
export const smallPromptMessagesMax = 64
export const smallPromptCharsMax = 8 * 1024
/** Minimum characters of a conversation that waits in the queue for large ones, where it delays no medium ones. */
export const largePromptCharsMin = 64 * 1024
/**
 * Maximum number of small conversations with a schema that the engine process has at a time. From each queue of larger
 * work, it has only one at a time.
 */
export const quickPreparesMax = 2
/**
 * Time limit for one preparation, after which the preparing thread is terminated, and for the start of that thread. A
 * preparation that got less than half of this in processor time may be sent again; any other is refused for good.
 */
export const prepareTimeoutMs = 5000
/** Time in which the preparing thread must report its processor time. */
export const prepareMeasureMs = 500
/** Time in which the preparing thread must stop unwanted work before it is terminated. */
export const prepareCancelMs = 40
/** Heap of the preparing thread: three times what the most expensive body of 1 MB needs. */
export const prepareHeapMb = 512
/** Occurrences of the model's control texts in one conversation's messages. Each costs a tokenizer call. */
export const forgedTextsMax = 1000
/** Time without work after which the preparing thread ends, so that its memory is free again. */
export const prepareIdleMs = 600_000

assert(smallPromptCharsMax < largePromptCharsMin)
assert(prepareTimeoutMs + prepareMeasureMs < heartbeatTimeoutMs)
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
/** Alternatives in one place of a schema, after `anyOf` and `oneOf` are multiplied out. */
export const schemaAlternativesMax = 256
/** Properties of one object. */
export const schemaPropertiesMax = 256
/** Largest `minLength`. A larger `maxLength` is lowered to this. */
export const schemaStringCharsMax = 8192
/** Largest `minItems`. A larger `maxItems` is lowered to this. */
export const schemaArrayItemsMax = 1024
/**
 * Maximum number of possible values for which the grammar keeps a reply from running out of them: it allows no more
 * unique items, or property names, than there are values.
 */
export const uniqueValuesMax = 5000
/** States of the automaton of a pattern or format that is combined with length limits. */
export const schemaStringStatesMax = 8000
/** Characters of a pattern. */
export const patternCharsMax = 1000
/** States of a pattern's automaton. */
export const patternStatesMax = 2000
/** Steps of the grammar compiler, each about a microsecond. */
export const grammarWorkMax = 150_000
/**
 * Compiler steps of the first attempt. A schema that needs more waits in a separate queue, so that it does not delay
 * other schemas.
 */
export const grammarQuickWorkMax = 40_000
/** Nesting of JSON where a schema admits any value. */
export const anyJsonDepthMax = 16
/** Compiled grammars that the engine process keeps, and their total size. */
export const grammarsKeptMax = 64
export const grammarsKeptBytesMax = 32 * 1024 * 1024

// The ledger.

/** Write units (storage/unit.ts) in one transaction. */
export const writerBatchMax = 512
/** Writes that may wait for the storage thread; further ones fail. Its reads have the same limit. */
export const writerQueueMax = 20_000
/** Time after which a read fails, or a write counts as stuck. */
export const storageTimeoutMs = 10_000
/** Reads of the panel and of lists that may wait for the reader thread; further ones fail. */
export const readerQueueMax = 500
/** API keys of the whole service, without revoked ones. */
export const apiKeysMax = 100_000
/** API keys of one account, without revoked ones. */
export const apiKeysOfAccountMax = 1000
/** Revoked API keys of one account that stay in the database. Creating a key deletes the earliest ones beyond this. */
export const apiKeysRevokedKeptMax = 1000
/** Keys and accounts whose usage is counted in memory. Beyond this, those without usage this month are dropped. */
export const ratedSubjectsMax = 2 * apiKeysMax
/** The latest time that a request can name: the end of the year 9999, in milliseconds since 1970. */
export const timeMsMax = 253_402_300_799_999
/** Time for which the old key stays valid after a rotation, by default and at most. */
export const rotationGraceMsDefault = 86_400_000
export const rotationGraceMsMax = 30 * 86_400_000
/** Length of the name of a key, an account or a user: in characters, and in bytes of UTF-8. */
export const nameCharsMax = 64
export const nameBytesMax = 256
/** Keys in one response about usage, and in a CSV of all. */
export const usageKeysMax = 100
export const usageKeysOfCsvMax = 10_000
/** Receipts on one page of a list: the default and the maximum. */
export const receiptsListedDefault = 20
export const receiptsListedMax = 100
/** Time that the reply to a request with an Idempotency-Key is kept. */
export const idempotencyMs = 86_400_000
/** Maximum size of a kept reply. */
export const idempotencyReplyBytesMax = 64 * 1024
/** Total size of kept replies; beyond this, the oldest are deleted. */
export const idempotencyBytesMax = 64 * 1024 * 1024
/** Space that a kept reply takes in addition to its text, in bytes. */
export const idempotencyRowBytes = 512
/** Expired rows deleted at a time, the pause before the next batch, and the time between two sweeps. */
export const retentionBatchMax = 200
export const retentionPauseMs = 50
export const retentionIntervalMs = 600_000
/** Time between two checks of the size of the database. */
export const ledgerCheckMs = 60_000
/**
 * Shares of PIPIT_LEDGER_MAX_GIB: above the first, the log warns; deletion of the oldest receipts stops at the second.
 */
export const ledgerAlarmShare = 0.8
export const ledgerShrunkShare = 0.95
/** Longest advance of the wall clock since the last run that counts as downtime. A longer one may be a wrong clock. */
export const clockJumpMs = 2 * 86_400_000

/** Failed ledger writes that may wait for a retry, and their total size; further ones are given up. */
export const retriedWritesMax = 2_000
export const retriedBytesMax = 16 * 1024 * 1024
/** Shortest and longest pause before failed ledger writes are retried. */
export const retryPauseMinMs = 500
export const retryPauseMaxMs = 30_000
/** Time between two searches for reserved entries that no request holds. */
export const orphanSweepMs = 60_000
/** Time after which no request can still hold its reserved entry: twice the time limit of a generation. */
export const entryOpenMaxMs = 2 * generationTimeoutMs

/** Receipts per minute for refused requests, of one account and of all; further refusals are only counted. */
export const refusalReceiptsPerMinute = 30
export const refusalReceiptsPerMinuteOfAll = 120
/** Maximum number of counts of refused requests (one per key, hour and code) in one write, and the time between writes. */
export const refusalCountsMax = 10_000
export const refusalCountsMs = 1_000
/** Size of the parameters on a receipt; a parameter that does not fit is left out. */
export const receiptParametersBytesMax = 32 * 1024
/** Size of the parameters on a refused request's receipt, and of the names of its ignored parameters. */
export const refusalParametersBytesMax = 1024
/** Characters of an error's parameter and message on a receipt. */
export const receiptErrorParamCharsMax = 128
export const receiptErrorMessageCharsMax = 400

assert(apiKeysOfAccountMax < apiKeysMax)
assert(writerBatchMax < writerQueueMax)
assert(idempotencyReplyBytesMax + idempotencyRowBytes < idempotencyBytesMax)
assert(generationTimeoutMs < idempotencyMs)

// The developer panel. sign-in-limits.ts has the limits of its users.

/**
 * Total size of the panel's scripts and styles kept in memory, each in up to three encodings. Others are read from
 * disk on each use.
 */
export const panelAssetsKeptBytesMax = 16 * 1024 * 1024

// Memory of the HTTP process.

/**
 * Size of the slabs that small buffers are cut from. A slab of Node's default size, 64 KiB, serves some 80
 * requests and so outlives the young generation: 0.8 KB per request would stay until the next full collection.
 */
export const bufferSlabBytes = 8 * 1024
/** Growth of the heap in percent between two full collections. V8's default lets a heap of 25 MB grow to 86 MB. */
export const heapGrowthPercent = 50

// The command line.

/** Time without a byte after which `pipit chat` aborts a reply; the service pings more often. */
export const chatIdleMs = 5 * 60_000
/** Characters of one reply, and of one line of its stream. */
export const chatReplyCharsMax = 4 * 1024 * 1024
export const chatLineCharsMax = 4 * 1024 * 1024
/** Time that a command waits for the running service to apply its change of keys or accounts. */
export const changeConfirmMs = 2_000
/** Maximum size of a response that `pipit check` reads. */
export const checkReplyBytesMax = 4 * 1024 * 1024
