/** Bytes of the hub's description of a repository that are read. */
export const repositoryBytesMax = 8 * 1024 * 1024
/** Files of a repository that are looked at, and redirects that one request follows. */
export const repositoryFilesMax = 10_000
export const redirectsMax = 5
/** Time without a byte after which a connection is given up. */
export const silenceMaxMs = 60_000
/** Attempts in a row without a new byte: of a request before the download, and of the download. */
export const requestAttemptsMax = 3
export const downloadAttemptsMax = 8
/** Pause before the first repeated attempt; it doubles up to the maximum. */
export const retryPauseMs = 1_000
export const retryPauseMaxMs = 30_000
/** Longest wait that a server may ask for with `Retry-After`. */
export const retryAfterMaxMs = 120_000
/** Times that a download starts over because the file has changed on the server. */
export const fileChangesMax = 3
/** Space that a download leaves free, because the ledger may be on the same disk. */
export const diskReserveBytes = 256 * 1024 * 1024
/** Bytes after which the header of a file is looked at for the first time. */
export const firstLookBytes = 1024 * 1024
/** Largest header of a GGUF file, its most entries, and the most items of one list. */
export const headerBytesMax = 256 * 1024 * 1024
export const headerEntriesMax = 100_000
export const headerItemsMax = 16_000_000
/** Parts of one model. */
export const partsMax = 1_000
/** Pulled models that are listed. */
export const pulledModelsMax = 1_000
/** Time between two looks of a running service for another choice of `models use`. */
export const choicePollMs = 1_000
/** Silence after which a service counts as stopped. */
export const serviceSilentMs = 10_000
/** Longest wait of `models use` for the running service, and the time between two looks. */
export const switchWaitMaxMs = 15 * 60_000
export const switchLookMs = 200
/** Pause before an unloaded model is loaded again for the second time; it doubles up to the maximum. */
export const reloadPauseMs = 1_000
export const reloadPauseMaxMs = 30_000
/** Pulls of the panel that wait for the running one, and failed ones that are shown. */
export const waitingPullsMax = 8
export const failedPullsMax = 8
