/** Largest description of a repository that is read from the hub. */
export const repositoryBytesMax = 8 * 1024 * 1024
/** Maximum number of a repository's files that are considered, and of redirects that one request follows. */
export const repositoryFilesMax = 10_000
export const redirectsMax = 5
/**
 * Longest path of a repository's file, and longest name at its end: file systems accept 255 characters, and the name
 * during the download has 18 more.
 */
export const filePathCharsMax = 512
export const fileNameCharsMax = 255 - 18
/** Maximum number of characters of a model's licence, and of its other names. Both come from the hub or the file. */
export const licenceCharsMax = 64
export const modelTextCharsMax = 200
/** Time without data after which a connection is closed. */
export const silenceMaxMs = 60_000
/** Maximum number of consecutive attempts without progress: for a request before the download, and for the download. */
export const requestAttemptsMax = 3
export const downloadAttemptsMax = 8
/** Pause before the first retry. It doubles up to the maximum. */
export const retryPauseMs = 1_000
export const retryPauseMaxMs = 30_000
/** Longest wait that a server may ask for with `Retry-After`. */
export const retryAfterMaxMs = 120_000
/** Number of changes to a file on the server after which its download is given up. */
export const fileChangesMax = 3
/** Space that a download leaves free, because the ledger may be on the same disk. */
export const diskReserveBytes = 256 * 1024 * 1024
/** Number of downloaded bytes after which the free space is checked again. */
export const spaceCheckBytes = 64 * 1024 * 1024
/** Bytes after which the header of a file is first checked. */
export const firstLookBytes = 1024 * 1024
/** Maximum size of a GGUF header, number of its entries, and number of items in one list. */
export const headerBytesMax = 256 * 1024 * 1024
export const headerEntriesMax = 100_000
export const headerItemsMax = 16_000_000
/** Maximum number of integers that are kept of a GGUF header. One list for each layer has about a hundred. */
export const headerNumbersMax = 65_536
/** Maximum number of parts of one model. */
export const partsMax = 1_000
/** Maximum number of pulled models that are listed. */
export const pulledModelsMax = 1_000
/** Interval at which a running service checks for a new choice by `models use`. */
export const choicePollMs = 1_000
/** Age of a service's status file at which the service counts as stopped. */
export const serviceSilentMs = 10_000
/** Longest wait of `models use` for the running service, and the interval of its checks. */
export const switchWaitMaxMs = 15 * 60_000
export const switchLookMs = 200
/** Pause before the second attempt to reload an unloaded model. It doubles up to the maximum. */
export const reloadPauseMs = 1_000
export const reloadPauseMaxMs = 30_000
/** Maximum number of the panel's pulls that wait for the running one, and of failed pulls that are shown. */
export const waitingPullsMax = 8
export const failedPullsMax = 8
