/** Time between two checks of the budgets. */
export const budgetCheckMs = 60_000
/** Time between two looks for deliveries that are due. */
export const deliveryCheckMs = 10_000
/** Time that one delivery may take. */
export const deliveryTimeoutMs = 15_000
/** Time after which another service may take over a delivery whose sender has died. */
export const deliveryLeaseMs = 60_000
/** Waits after the failed attempts, as Standard Webhooks proposes; after the last one the delivery has failed. */
export const retryDelaysMs = [5, 300, 1800, 7200, 18_000, 36_000].map((seconds) => seconds * 1000)
/** Deliveries kept in the log; beyond them, the oldest are deleted. */
export const deliveriesMax = 500
/** Deliveries that one look sends. */
export const deliveriesPerCheck = 20
/** Deliveries listed in the panel. */
export const deliveriesListed = 50
/** Recipients of alerts by e-mail. */
export const recipientsMax = 10
/** Characters of a result in the log. */
export const resultCharsMax = 300
