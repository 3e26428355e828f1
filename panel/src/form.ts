import type { FormEvent } from 'react'

/** The fields stay as they were typed, whatever comes of it. */
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
