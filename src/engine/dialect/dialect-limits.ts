/** Maximum number of variable names kept from a chat template. */
export const dialectVariablesMax = 500
/** Longest variable name, and longest mark around a thought, in characters. */
export const dialectTextCharsMax = 128
/** Longest header of a Harmony message, in characters. A longer one counts as text. */
export const harmonyHeaderCharsMax = 256
/** Maximum number of tokens reserved for the answer after a thought. At most a quarter of the reply is reserved. */
export const answerTokensMax = 1024
/**
 * Longest white space that is held back at the start of a reply or in a thought, in characters. A reply that begins with
 * more has begun its answer. `thought-guide.cc` has the same limit.
 */
export const blankCharsMax = 16_384
