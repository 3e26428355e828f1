import { Button, Group, Textarea } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'

type ComposerProps = {
  input: string
  onChange: (input: string) => void
  onSend: () => void
  onStop: () => void
  isRunning: boolean
  /** Beside the buttons. */
  children: ReactNode
}

/** The message that is being written; Enter sends it. */
export function Composer({ input, onChange, onSend, onStop, isRunning, children }: ComposerProps) {
  const sendOnEnter = (event: KeyboardEvent) => {
    // While a character is being composed, Enter belongs to the input method (229 in Safari).
    const isComposing = event.nativeEvent.isComposing || event.keyCode === 229
    if (event.key !== 'Enter' || event.shiftKey || isComposing) return
    event.preventDefault()
    if (!isRunning) onSend()
  }
  return (
    <div>
      <Textarea
        label="Your message"
        description="Enter sends, Shift+Enter begins a new line."
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
