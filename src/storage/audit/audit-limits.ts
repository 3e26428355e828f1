/** Days after which an entry of the audit log is deleted. */
export const auditDays = 400
/** Maximum number of audit log entries. Beyond it, the oldest are deleted. */
export const auditEntriesMax = 100_000
