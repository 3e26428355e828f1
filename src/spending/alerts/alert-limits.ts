/** Time between two checks of the budgets. */
export const budgetCheckMs = 60_000
/** Time between two checks for deliveries that are due. */
export const deliveryCheckMs = 10_000
/** Maximum time of one attempt. */
export const deliveryTimeoutMs = 15_000
/** Time after which another service may take over a delivery whose sender has died. */
export const deliveryLeaseMs = 60_000
/** Delays before the retries, as Standard Webhooks proposes. If the last retry fails, the delivery has failed. */
export const retryDelaysMs = [5, 300, 1800, 7200, 18_000, 36_000].map((seconds) => seconds * 1000)
/** Maximum number of deliveries in the log. Beyond it, the oldest are deleted, unless they are still to be sent. */
export const deliveriesMax = 500
/** Maximum number of deliveries sent by one check. */
export const deliveriesPerCheck = 20
/** Maximum number of deliveries that the panel lists. */
export const deliveriesListed = 50
/** Maximum number of recipients of alerts by e-mail. */
export const recipientsMax = 10
/** Maximum characters of a result in the log. */
export const resultCharsMax = 300
