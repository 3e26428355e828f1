import { codeOf as storageCodeOf } from '../../storage/storage-fault.ts'

/** The result of one check. `remedy` says how to fix a fault. */
export type Finding =
  | { state: 'ok' | 'note'; name: string; text: string }
  | { state: 'fault'; name: string; text: string; remedy: string }

export function ok(name: string, text: string): Finding {
  return { state: 'ok', name, text }
}

/** A finding that is worth knowing but not a fault. */
export function note(name: string, text: string): Finding {
  return { state: 'note', name, text }
}

export function fault(name: string, text: string, remedy: string): Finding {
  return { state: 'fault', name, text, remedy }
}

export function codeOf(error: unknown): string {
  return storageCodeOf(error) || String(error)
}
