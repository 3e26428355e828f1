/** Most variable names kept from a chat template. */
export const dialectVariablesMax = 500
/** Longest variable name, and longest mark around a thought, in characters. */
export const dialectTextCharsMax = 128
/** Longest header of a Harmony message, in characters. A longer one counts as text. */
export const harmonyHeaderCharsMax = 256
/** Most tokens of `max_tokens` reserved for the answer after a thought; a quarter if that is less. */
export const answerTokensMax = 1024
