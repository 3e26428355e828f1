/** Reads the arguments of one call from its text, and returns them as pieces of a JSON text. */
export interface ArgumentsReader {
  /** Set once the arguments are complete: the text after them, which begins with the end of the call. */
  readonly rest: string | undefined
  push(text: string): string
  /** Returns the usable rest of arguments that were cut off. */
  finish(): string
}
