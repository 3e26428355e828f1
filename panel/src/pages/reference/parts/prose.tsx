import { Fragment } from 'react'

/** Text of the contracts, whose names stand between backquotes. */
export function Prose({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, i) =>
      i % 2 === 1 ? <code key={i}>{part}</code> : <Fragment key={i}>{part}</Fragment>,
    )
}
