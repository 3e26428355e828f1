import type { FormEvent } from 'react'

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
