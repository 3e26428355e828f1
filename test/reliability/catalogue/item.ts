/** One row of docs/reliability.md. The texts are Markdown. */
export type Item = {
  /** The id that titles of tests and findings carry: `F06`. */
  readonly id: string
  readonly name: string
  /** Describes how the tests cause the fault or measure the goal. */
  readonly injection: string
  /** The reason why there is nothing to test. */
  readonly notApplicable?: string
  /** A number that the findings of all runs must reach together, and the part of it that the row names as well. */
  readonly total?: {
    readonly figure: RegExp
    readonly goal: number
    readonly unit: string
    readonly part: { readonly figure: RegExp; readonly name: string }
  }
  /** Bounds on figures in the findings. `figure` captures the number; findings without it are not judged. */
  readonly bounds?: readonly Bound[]
}

type Bound = { readonly figure: RegExp; readonly least?: number; readonly most?: number }
