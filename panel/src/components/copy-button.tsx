import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { copyText } from '../copy-text.ts'

type CopyButtonProps = {
  text: string
  /** The button's text, for example "Copy key". */
  label?: string
  /** Called when the browser refuses access to the clipboard. It selects the text, so that the user can copy it. */
  onRefused: () => void
}

const confirmationMs = 2_000

/** Copies text and announces the result. */
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
          'The browser blocked the copy. The text is selected: press Ctrl+C or ⌘C.'}
      </span>
    </>
  )
}
