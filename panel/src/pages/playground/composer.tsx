import { Button, Group, Textarea } from '@mantine/core'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import classes from './playground.module.css'

type ComposerProps = {
  field: RefObject<HTMLTextAreaElement | null>
  input: string
  onChange: (input: string) => void
  onSend: () => void
  onStop: () => void
  isRunning: boolean
  /** Shown beside the button. */
  children: ReactNode
}

/** The input for the next message. Enter sends it. */
export function Composer({
  field,
  input,
  onChange,
  onSend,
  onStop,
  isRunning,
  children,
}: ComposerProps) {
  const sendOnEnter = (event: KeyboardEvent) => {
    // During IME composition, Enter belongs to the input method (keyCode 229 in Safari).
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.key !== 'Enter' || event.shiftKey || isComposing) return
    event.preventDefault()
    if (!isRunning) onSend()
  }
  return (
    <div className={classes['composer']}>
      <Textarea
        ref={field}
        label="Your message"
        description="Press Enter to send, Shift+Enter for a new line."
        inputWrapperOrder={['label', 'input', 'description']}
        autosize
        minRows={2}
        maxRows={12}
        dir="auto"
        value={input}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={sendOnEnter}
      />
      <Group justify="space-between" gap="sm" mt="xs">
        {children}
        {isRunning ? (
          <Button color="red" onClick={onStop} rightSection="Esc">
            Stop
          </Button>
        ) : (
          <Button onClick={onSend}>Send</Button>
        )}
      </Group>
    </div>
  )
}
