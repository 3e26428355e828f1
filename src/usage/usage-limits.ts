/** Receipts that an export reads at a time, so that their parameters take little memory. */
export const receiptsExportedBatch = 250
/** Time without a heartbeat after which other replicas close a replica, by the database's clock. */
export const replicaExpiryMs = 6000
