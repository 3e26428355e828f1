import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { copyText } from '../copy-text.ts'

type CopyButtonProps = {
  text: string
  /** What is copied, for example "Copy the key". */
  label?: string
  /** The browser keeps its clipboard to itself: select the text, so that it can be copied by hand. */
  onRefused: () => void
}

const confirmationMs = 2_000

/** Copies, and says in words whether it worked. */
export function CopyButton({ text, label = 'Copy', onRefused }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'refused'>()
  useEffect(() => {
    if (result !== 'copied') return
    const timer = setTimeout(() => setResult(undefined), confirmationMs)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async () => {
    const copied = await copyText(text)
    setResult(copied ? 'copied' : 'refused')
    if (!copied) onRefused()
  }
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => void copy()}>
        {result === 'copied' ? 'Copied' : label}
      </Button>
      <span role="status">
        {result === 'refused' &&
          'The browser did not let it be copied. It is selected: press Ctrl+C, or ⌘C.'}
      </span>
    </>
  )
}
