export type Exception = {
  readonly rule: string
  readonly path: string
  readonly reason: string
}

/** Every exception from the rules, each with its reason. */
export const exceptions: readonly Exception[] = []
