/** One row of docs/reliability.md. The texts are Markdown. */
export type Item = {
  /** The id that titles of tests and findings carry: `F06`. */
  readonly id: string
  readonly name: string
  /** The way in which the tests bring it about or measure it. */
  readonly injection: string
  /** The reason why there is nothing to test. */
  readonly notApplicable?: string
}
