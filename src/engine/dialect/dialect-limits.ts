/** Names that a chat template reads, as far as the service knows them. */
export const dialectVariablesMax = 500
/** Characters of such a name, and of a mark around a thought. */
export const dialectTextCharsMax = 128
/** Characters of the header of a Harmony message; a longer one is text. */
export const harmonyHeaderCharsMax = 256
/** Tokens of `max_tokens` that a thought leaves to the answer, if a quarter is more. */
export const answerTokensMax = 1024
