/** Days after which an entry of the audit log is deleted. */
export const auditDays = 400
/** Maximum number of audit log entries. */
export const auditEntriesMax = 100_000
/** Number of entries that are deleted at once beyond the maximum, because finding the author of most takes a while. */
export const auditEntriesDropped = 1_000
