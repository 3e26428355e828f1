/** Reads the arguments of one call from its text, and returns them as pieces of a JSON text. */
export interface ArgumentsReader {
  /** The text after the arguments, from the closing mark of the call. Undefined until the arguments are complete. */
  readonly rest: string | undefined
  push(text: string): string
  /** Ends arguments that were cut off. Returns the last piece of JSON text that can still be used. */
  finish(): string
}
