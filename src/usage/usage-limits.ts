/** Receipts in one export, the newest. */
export const receiptsExportedMax = 10_000
/** Receipts that an export reads at a time, so that their parameters take little memory. */
export const receiptsExportedBatch = 250
/** Time after its last heartbeat at which other replicas close a replica, by the clock of the database. */
export const replicaExpiryMs = 6000
