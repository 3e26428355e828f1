import { useEffect, useState, type FormEvent, type RefObject } from 'react'

/** Returns a submit handler that passes on the form's values and leaves the fields as typed. */
export function submitTo(
  send: (form: FormData) => void,
): (event: FormEvent<HTMLFormElement>) => void {
  return (event) => {
    event.preventDefault()
    send(new FormData(event.currentTarget))
  }
}

export function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

/** Focuses a form's first invalid field after each failed submission, and expands the section around it. */
export function useFocusOnError(
  form: RefObject<HTMLFormElement | null>,
  /** A new object after each check of the form, so that the effect runs again. */
  faults: object,
  /** The service's error. */
  error: Error | null,
): void {
  useEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    field?.closest('details')?.setAttribute('open', '')
    field?.focus()
  }, [form, faults, error])
}

/**
 * Returns a key for fields that show a stored value. It changes when the value is removed, so that the fields become
 * empty.
 */
export function useRemovals(isStored: boolean): number {
  const [known, setKnown] = useState({ isStored, removals: 0 })
  if (known.isStored !== isStored)
    setKnown({ isStored, removals: known.removals + (isStored ? 0 : 1) })
  return known.removals
}
