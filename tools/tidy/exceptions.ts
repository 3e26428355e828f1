import { readFileSync } from 'node:fs'

export type Exception = {
  readonly rule: string
  readonly path: string
  readonly reason: string
}

/** Every exception from the rules, each with its reason. */
export const exceptions: readonly Exception[] = []

/**
 * Returns the files that do not keep a rule yet, each as "rule path". TEMPORARY: the list only gets
 * shorter; this function and `pending.txt` go when it is empty.
 */
export function pending(): string[] {
  return readFileSync(new URL('pending.txt', import.meta.url), 'utf8').split('\n')
}
