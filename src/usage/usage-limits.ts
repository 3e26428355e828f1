/** Receipts in one export, the newest. */
export const receiptsExportedMax = 10_000
/** Receipts that an export reads at a time, so that their parameters take little memory. */
export const receiptsExportedBatch = 250
