/** Days after which an entry of the audit log is deleted. */
export const auditDays = 400
/** Entries of the audit log; beyond them, the oldest are deleted. */
export const auditEntriesMax = 100_000
