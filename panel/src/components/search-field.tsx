import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

const typingPauseMs = 250

type SearchFieldProps = {
  placeholder: string
  className?: string | undefined
  /** The search that the page shows. */
  applied: string
  apply: (search: string) => void
}

/** Applies a search after a pause in typing. Shows another search that a link or Back has applied. */
export function SearchField({ applied, apply, ...props }: SearchFieldProps) {
  const [typed, setTyped] = useState(applied)
  const shown = useRef(applied)
  const sent = useRef(applied)
  const send = useDebouncedCallback((search: string) => {
    sent.current = search
    apply(search)
  }, typingPauseMs)
  useEffect(() => {
    if (applied === shown.current) return
    shown.current = applied
    // The page now shows what was sent, and more may have been typed since.
    if (applied === sent.current) return
    sent.current = applied
    send.cancel()
    setTyped(applied)
  }, [applied, send])
  return (
    <TextInput
      type="search"
      label="Search"
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        send(value.trim())
      }}
      {...props}
    />
  )
}
