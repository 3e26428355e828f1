/** Days after which an entry of the audit log is deleted. */
export const auditDays = 400
/** Maximum number of audit log entries. */
export const auditEntriesMax = 100_000
/** Beyond the maximum, so many entries are deleted at once, because finding the author of most entries takes a while. */
export const auditEntriesDropped = 1_000
