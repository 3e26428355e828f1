import { Fragment } from 'react'

/** Renders a text of the API contracts. Text between backquotes becomes code. */
export function Prose({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, i) =>
      i % 2 === 1 ? <code key={i}>{part}</code> : <Fragment key={i}>{part}</Fragment>,
    )
}
