/** Maximum number of receipts in one export. Older ones are left out. */
export const receiptsExportedMax = 10_000
/** Receipts that an export reads at a time, so that their parameters take little memory. */
export const receiptsExportedBatch = 250
/** Time after a replica's last heartbeat at which other replicas close it, by the database's clock. */
export const replicaExpiryMs = 6000
