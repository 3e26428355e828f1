// Users of the developer panel. people/attempts/attempt-limits.ts has the limits on sign-in attempts.

/** Length of a password. */
export const passwordCharsMin = 8
export const passwordCharsMax = 128
/** Length of an e-mail address. */
export const emailCharsMax = 254
/** Minimum length of the secret that signs cookies. */
export const secretCharsMin = 32
/** Days without use after which a session expires. */
export const sessionDays = 7
/** Age in days from which the next use extends a session. */
export const sessionRefreshDays = 1
/** Age from which a session without a password may no longer add a passkey. */
export const passkeySessionMs = 86_400_000
/** Sessions that are watched for their end. Beyond this, the signal of the least recently used session is aborted. */
export const panelSessionsFollowedMax = 10_000
/** Lifetimes of set-up, invitation and password-reset links. */
export const setUpLinkMs = 86_400_000
export const inviteLinkMs = 7 * 86_400_000
export const resetLinkMs = 86_400_000
/** Pending invites of the whole service. */
export const invitesMax = 1000
/** Time between two deletions of expired sessions. */
export const expiredSessionsDroppedMs = 600_000
/** Sessions of one user. A sign-in ends the oldest beyond this. */
export const sessionsOfUserMax = 100
/** Accounts on one page of the panel's list: the default and the maximum. */
export const accountsListedDefault = 50
export const accountsListedMax = 200
/** Time in which the OpenID Connect issuer must respond. */
export const issuerTimeoutMs = 5_000
/** Entries of the audit log on one page: the default and the maximum. */
export const auditListedDefault = 50
export const auditListedMax = 200
